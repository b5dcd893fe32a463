package io.holdfast.saga.jdbc;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.holdfast.saga.layers.LayerRules;
import org.junit.jupiter.api.Test;

class LayerRulesTest {

    private static final JavaClasses JDBC = LayerRules.mainClassesIn("io.holdfast.saga.jdbc");

    @Test
    void the_api_shows_nothing_internal() {
        LayerRules.THE_API_SHOWS_NOTHING_INTERNAL.check(JDBC);
    }

    @Test
    void only_clocks_ask_the_system_for_the_time() {
        LayerRules.ONLY_CLOCKS_ASK_THE_SYSTEM_FOR_THE_TIME.check(JDBC);
    }

    @Test
    void nobody_deserialises_java_objects() {
        LayerRules.NOBODY_DESERIALISES_JAVA_OBJECTS.check(JDBC);
    }
}
