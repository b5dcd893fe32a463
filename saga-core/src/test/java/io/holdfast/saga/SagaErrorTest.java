package io.holdfast.saga;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaModifier;
import io.holdfast.saga.ConcurrentSagaException.Advice;
import io.holdfast.saga.ConcurrentSagaException.Busy;
import io.holdfast.saga.RowUnavailableException.Reason;
import io.holdfast.saga.layers.LayerRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every exception has a code, every code a section in the documentation, and no section is without a code. */
class SagaErrorTest {
    private static final Path DOCUMENTATION = Path.of("..", "docs", "errors.md");
    private static final Pattern HEADING = Pattern.compile("(?m)^## (SAGA-\\d{3}): \\S.*$");

    /** One of each class. */
    private static List<SagaException> exceptions() {
        Busy busy = new Busy("orders 7", UUID.randomUUID(), "RUNNING at pay", null, Advice.FAIL);
        return List.of(
                new SagaDefinitionException(SagaError.INVALID_NAME, "text"),
                new SagaUsageException(SagaError.CLOSED, "text"),
                new SagaConflictException(SagaError.KEY_CONFLICT, "text"),
                new StepRejectedException("text"),
                new ConcurrentSagaException(busy),
                new RowUnavailableException(Reason.MISSING, "text"),
                new LockLostException(SagaError.LOCK_LOST, "text"),
                new RevalidationException(SagaError.READ_CHANGED, "text", List.of("difference")),
                new PayloadException(SagaError.PAYLOAD_TOO_LARGE, "text"),
                new SagaStoreException(SagaError.STORE_UNAVAILABLE, "text", null));
    }

    private static Stream<Class<?>> exceptionClasses() {
        return LayerRules.mainClassesIn("io.holdfast.saga").stream()
                .filter(type -> type.isAssignableTo(Throwable.class)
                        && !type.getModifiers().contains(JavaModifier.ABSTRACT))
                .filter(type -> type.getPackageName().equals("io.holdfast.saga"))
                .map(type -> type.reflect());
    }

    @Test
    void every_exception_of_the_library_carries_a_code_and_says_it() {
        assertThat(exceptions())
                .extracting(Object::getClass)
                .hasSameElementsAs(exceptionClasses().toList());
        assertThat(exceptions()).allSatisfy(exception -> {
            assertThat(exception.code()).isEqualTo(exception.error().code());
            assertThat(exception).hasMessageStartingWith(exception.code() + ": ");
        });
    }

    @Test
    void codes_are_unique_and_of_one_form() {
        List<String> codes = Stream.of(SagaError.values()).map(SagaError::code).toList();

        assertThat(codes).doesNotHaveDuplicates().allMatch(code -> code.matches("SAGA-[1-9]\\d\\d"));
    }

    @ParameterizedTest
    @EnumSource
    void every_code_has_a_section_that_says_all_four_things(SagaError error) throws IOException {
        String section = section(error);

        assertThat(section).as("section of " + error).isNotEmpty();
        assertThat(section).contains(error.name(), "**Means.** ", "**Next.** ", "**Fix.** ", "**Mistakes.** ");
    }

    @Test
    void every_section_has_a_code_and_they_stand_in_order() throws IOException {
        List<String> headings = HEADING.matcher(Files.readString(DOCUMENTATION))
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(headings)
                .isSorted()
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(SagaError.values()).map(SagaError::code).toList());
    }

    private static String section(SagaError error) throws IOException {
        return Stream.of(Files.readString(DOCUMENTATION).split("(?m)^(?=## )"))
                .filter(section -> section.startsWith("## " + error.code() + ": "))
                .findFirst()
                .orElse("");
    }
}
