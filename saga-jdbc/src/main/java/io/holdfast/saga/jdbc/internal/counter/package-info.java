/** The statement that changes a number, and what it leaves behind to be undone by. Not exported. */
@NullMarked
package io.holdfast.saga.jdbc.internal.counter;

import org.jspecify.annotations.NullMarked;
