package io.holdfast.saga.spi;

import java.time.Duration;
import java.util.List;

/**
 * What a node wants to claim.
 *
 * @param owner the node's unique name
 * @param lease the length of the lease
 * @param definitions what it can drive, in the order in which they are served
 * @param atMost how many, 1 or more
 */
public record ClaimOrder(String owner, Duration lease, List<DefinitionRef> definitions, int atMost) {}
