/** Applications that show how Holdfast is used. */
@NullMarked
package io.holdfast.saga.examples;

import org.jspecify.annotations.NullMarked;
