package io.holdfast.saga;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compensatable, then the pivot, then retriable: what cannot work does not compile. */
class OrderOfStepsTest {
    private static final String FRAME = """
            import io.holdfast.saga.*;
            import io.holdfast.saga.internal.*;
            import java.util.Optional;

            class Snippet {
                static final StepKey<Integer> NUMBER = StepKey.of("number", Integer.class);
                final Steps<String> steps = Steps.of(String.class);
                final Steps<Integer> others = Steps.of(Integer.class);
                final ExternalStep<String, Integer> external = steps.external(NUMBER, ctx -> 7);
                final CompensatableStep<String> undoable = external.compensatedBy((ctx, known) -> {});
                RetriableStep<String> retriable;
                SagaBuilder<String> builder = SagaDefinition.builder(SagaType.of("order", 1, String.class));
                Object snippet() {
                    return %s;
                }
            }
            """;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "builder.step(undoable).build()",
                "builder.step(undoable).pivot(external).then(external).build()",
                "builder.step(undoable).pivot(retriable).then(retriable).build()",
                "builder.pivot(external).build()",
                "builder.step(external.noCompensation(\"reads only\")).build()",
                "builder.step(external.settledAndCompensatedBy((ctx, number) -> Integer.signum(number))).build()",
                "builder.step(external.compensatedBy((ctx, known) -> known.map(Integer::signum))).build()",
                "builder.step(others.external(\"a\", ctx -> {}).dataFrom(String::length).noCompensation(\"none\"))",
                "steps.external(\"a\", ctx -> ctx.result(NUMBER).intValue())"
            })
    void what_can_work_compiles(String expression) {
        assertThat(errorsIn(expression)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // a step that cannot be undone before the pivot
                "builder.step(external)",
                "builder.step(retriable)",
                "builder.step(undoable).step(external).pivot(external)",
                // one that is not retriable as the pivot, or after it
                "builder.pivot(undoable)",
                "builder.pivot(external).then(undoable)",
                // nothing compensatable, no second pivot and no deadline after the pivot
                "builder.pivot(external).step(undoable)",
                "builder.pivot(external).pivot(external)",
                "builder.pivot(external).deadline(java.time.Duration.ofDays(1))",
                // a compensation of a compensation
                "undoable.compensatedBy((ctx, known) -> {})",
                // steps of other data
                "builder.step(others.external(\"a\", ctx -> {}).noCompensation(\"none\"))",
                "builder.pivot(others.external(\"a\", ctx -> {}))",
                // results of another class
                "steps.external(NUMBER, ctx -> \"text\")",
                "steps.external(\"a\", ctx -> { String text = ctx.result(NUMBER); })",
                "external.settledAndCompensatedBy((ctx, number) -> number.isPresent())",
                "external.compensatedBy((ctx, known) -> known.intValue())"
            })
    void what_cannot_work_does_not_compile(String expression) {
        assertThat(errorsIn(expression)).isNotEmpty();
    }

    @Test
    void the_compiler_says_what_is_wanted() {
        assertThat(errorsIn("builder.step(external)"))
                .singleElement()
                .asString()
                .matches(
                        "incompatible types: \\S*ExternalStep<\\S+> cannot be converted to \\S*CompensatableStep<\\S+>");
        assertThat(errorsIn("builder.pivot(external).then(undoable)"))
                .singleElement()
                .asString()
                .matches(
                        "incompatible types: \\S*CompensatableStep<\\S+> cannot be converted to \\S*RetriableStep<\\S+>");
    }

    private static List<String> errorsIn(String expression) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options =
                List.of("-proc:none", "-implicit:none", "-Xlint:none", "-d", "target", "-cp", classPath());
        List<Source> sources = List.of(new Source(FRAME.formatted(expression)));
        // analysed only, so that nothing is written
        var task = (JavacTask) compiler.getTask(null, null, found, options, null, sources);
        try {
            task.analyze();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return found.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(diagnostic -> diagnostic.getMessage(Locale.ENGLISH))
                .toList();
    }

    private static String classPath() {
        return Stream.of(Steps.class, NullMarked.class)
                .map(OrderOfStepsTest::whereItIs)
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    private static String whereItIs(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///Snippet.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
