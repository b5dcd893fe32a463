/** The demo: what happens to orders when cards are declined, orders collide, and processes die or freeze. */
@NullMarked
package io.holdfast.saga.examples.demo;

import org.jspecify.annotations.NullMarked;
