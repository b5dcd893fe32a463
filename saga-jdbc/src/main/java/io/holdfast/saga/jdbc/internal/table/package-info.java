/** Business tables: their names, their catalog, and row ids and values as the database takes them. Not exported. */
@NullMarked
package io.holdfast.saga.jdbc.internal.table;

import org.jspecify.annotations.NullMarked;
