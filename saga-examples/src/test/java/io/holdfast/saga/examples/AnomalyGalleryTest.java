package io.holdfast.saga.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.examples.gallery.Anomaly;
import io.holdfast.saga.examples.gallery.Gallery;
import io.holdfast.saga.examples.gallery.Outcome;
import io.holdfast.saga.examples.gallery.Stage;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each anomaly happens with the naive statements, every time, and does not with the tool. */
@PostgresTest
class AnomalyGalleryTest {
    private static final List<String> ALL = List.of(
            "lost update",
            "dirty read",
            "non-repeatable read",
            "oversell",
            "visible compensation",
            "zombie write",
            "empty compensation",
            "hanging");

    @Test
    void none_is_missing() {
        assertThat(Gallery.anomalies()).extracting(Anomaly::title).containsExactlyElementsOf(ALL);
    }

    @TestFactory
    Stream<DynamicTest> each_happens_without_its_tool_and_not_with_it() {
        return Gallery.anomalies().stream()
                .flatMap(anomaly -> Stream.of(
                        DynamicTest.dynamicTest(
                                anomaly.title() + " happens",
                                () -> assertThat(played(anomaly::naive)).returns(true, Outcome::harmed)),
                        DynamicTest.dynamicTest(
                                anomaly.title() + " is prevented by " + anomaly.tool(),
                                () -> assertThat(played(anomaly::guarded)).returns(false, Outcome::harmed))));
    }

    private interface Performance {
        Outcome on(Stage stage) throws Exception;
    }

    private static Outcome played(Performance performance) throws Exception {
        try (TestDatabase database = TestDatabase.create();
                Stage stage = new Stage(database.pool(12))) {
            return performance.on(stage);
        }
    }
}
