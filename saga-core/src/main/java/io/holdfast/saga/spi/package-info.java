/**
 * What a store or a codec implements. Every method of a store that changes a saga is a compare-and-set; the engine handles
 * every "no".
 */
@NullMarked
package io.holdfast.saga.spi;

import org.jspecify.annotations.NullMarked;
