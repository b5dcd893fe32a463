/** What operators do with a saga that cannot go on by itself. */
@NullMarked
package io.holdfast.saga.jdbc.admin;

import org.jspecify.annotations.NullMarked;
