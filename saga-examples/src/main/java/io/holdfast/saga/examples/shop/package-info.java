/** A shop: orders, stock and accounts in a database, payments at a provider elsewhere, held together by one saga. */
@NullMarked
package io.holdfast.saga.examples.shop;

import org.jspecify.annotations.NullMarked;
