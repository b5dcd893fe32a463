package io.holdfast.saga;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.holdfast.saga.layers.LayerRules;
import org.junit.jupiter.api.Test;

class LayerRulesTest {

    private static final JavaClasses CORE = LayerRules.mainClassesIn("io.holdfast.saga");

    @Test
    void the_engine_knows_no_sql_and_no_scheduler() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..", "org.jooq..", "org.quartz..", "org.postgresql..")
                .check(CORE);
    }

    @Test
    void the_api_shows_nothing_internal() {
        LayerRules.THE_API_SHOWS_NOTHING_INTERNAL.check(CORE);
    }

    @Test
    void only_clocks_ask_the_system_for_the_time() {
        LayerRules.ONLY_CLOCKS_ASK_THE_SYSTEM_FOR_THE_TIME.check(CORE);
    }

    @Test
    void nobody_deserialises_java_objects() {
        LayerRules.NOBODY_DESERIALISES_JAVA_OBJECTS.check(CORE);
    }
}
