/** A payment provider as shops meet them: a server of its own that remembers the outcome of every key. */
@NullMarked
package io.holdfast.saga.examples.payment;

import org.jspecify.annotations.NullMarked;
