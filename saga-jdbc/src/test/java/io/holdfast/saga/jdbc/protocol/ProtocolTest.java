package io.holdfast.saga.jdbc.protocol;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class whose tests each get a {@link World}, which is checked when the test has passed, and closed. No test may hang: each
 * has a minute.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(WorldExtension.class)
@Timeout(60)
@interface ProtocolTest {}
