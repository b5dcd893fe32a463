/** Marking business rows as pending, owned by a saga until a deadline. */
@NullMarked
package io.holdfast.saga.jdbc.lock;

import org.jspecify.annotations.NullMarked;
