/** The anomalies that a lack of isolation brings, each produced and each prevented. */
@NullMarked
package io.holdfast.saga.examples.gallery;

import org.jspecify.annotations.NullMarked;
