package io.holdfast.saga.jdbc.testing;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Hands out the databases of {@link PostgresTest}, and looks for leaks after each test. JUnit closes them. */
final class PostgresExtension implements ParameterResolver, AfterEachCallback {

    private static final Namespace NAMESPACE = Namespace.create(PostgresExtension.class);

    /** So that a constructor's parameter belongs to the test the instance is made for, not to the class. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestDatabase.class;
    }

    @Override
    public TestDatabase resolveParameter(ParameterContext parameter, ExtensionContext context) {
        var annotated = annotatedClass(context);
        return switch (annotation(annotated).value()) {
            case PER_CLASS -> database(annotated);
            case PER_TEST -> {
                if (context.getTestMethod().isEmpty()) {
                    throw new ParameterResolutionException(
                            "a database per test cannot be had before there is a test: use @PostgresTest(PER_CLASS)");
                }
                yield database(context);
            }
        };
    }

    @Override
    public void afterEach(ExtensionContext context) {
        var database = context.getStore(NAMESPACE).get(TestDatabase.class, TestDatabase.class);
        if (database != null) {
            database.assertNoLeaks();
        }
    }

    private static TestDatabase database(ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(TestDatabase.class, key -> TestDatabase.create(), TestDatabase.class);
    }

    /** The test class, or of nested ones the nearest that carries the annotation: a database per class is its. */
    private static ExtensionContext annotatedClass(ExtensionContext context) {
        return context.getTestMethod().isEmpty() && annotation(context) != null
                ? context
                : annotatedClass(context.getParent().orElseThrow());
    }

    private static PostgresTest annotation(ExtensionContext context) {
        return context.getRequiredTestClass().getAnnotation(PostgresTest.class);
    }
}
