/**
 * The protocol, rule by rule, on a real PostgreSQL: what each test shows would go wrong without the rule it names (§ of the
 * protocol page). Nodes are engines in this JVM, or other JVMs where one must be killed or frozen. {@link ProtocolTest} gives each
 * test a {@link World} of its own and looks at it with {@link StandingChecks} afterwards.
 */
package io.holdfast.saga.jdbc.protocol;
