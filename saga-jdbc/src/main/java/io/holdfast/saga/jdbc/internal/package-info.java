/** How the library uses PostgreSQL. Not exported. */
@NullMarked
package io.holdfast.saga.jdbc.internal;

import org.jspecify.annotations.NullMarked;
