/** The reaper: finds sagas that are due and nobody drives, and hands them to this node's engine. */
@NullMarked
package io.holdfast.saga.jdbc.reaper;

import org.jspecify.annotations.NullMarked;
