/** Sagas on PostgreSQL. */
@NullMarked
package io.holdfast.saga.jdbc;

import org.jspecify.annotations.NullMarked;
