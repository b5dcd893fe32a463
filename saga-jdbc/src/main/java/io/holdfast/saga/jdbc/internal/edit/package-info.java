/** How a row is edited under its version, and how that is undone. Not exported. */
@NullMarked
package io.holdfast.saga.jdbc.internal.edit;

import org.jspecify.annotations.NullMarked;
