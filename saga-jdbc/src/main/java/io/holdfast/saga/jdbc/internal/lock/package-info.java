/** How rows are claimed, kept and given back. Not exported. */
@NullMarked
package io.holdfast.saga.jdbc.internal.lock;

import org.jspecify.annotations.NullMarked;
