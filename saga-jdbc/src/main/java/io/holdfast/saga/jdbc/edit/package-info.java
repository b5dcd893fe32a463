/** Edits of rows that nobody changed since they were read. */
@NullMarked
package io.holdfast.saga.jdbc.edit;

import org.jspecify.annotations.NullMarked;
