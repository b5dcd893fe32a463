package io.holdfast.saga.jdbc.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class that runs on a real PostgreSQL. A parameter of type {@link TestDatabase}, of the constructor or of any
 * test or lifecycle method, is a database of its own; after every test it is checked for leaks.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(PostgresExtension.class)
public @interface PostgresTest {

    /** How long a database lasts. */
    Scope value() default Scope.PER_TEST;

    /** How long a database lasts. */
    enum Scope {
        /** Each test has a fresh one. */
        PER_TEST,
        /** The tests of a class, nested ones included, share one; needed for parameters of {@code @BeforeAll}. */
        PER_CLASS
    }
}
