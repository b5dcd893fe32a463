package io.holdfast.saga.examples;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.holdfast.saga.layers.LayerRules;
import org.junit.jupiter.api.Test;

class LayerRulesTest {

    private static final JavaClasses EXAMPLES = LayerRules.mainClassesIn("io.holdfast.saga.examples");

    @Test
    void an_example_uses_only_what_users_can_use() {
        LayerRules.NOTHING_INTERNAL_IS_USED.check(EXAMPLES);
    }
}
