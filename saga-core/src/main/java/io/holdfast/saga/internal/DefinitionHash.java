package io.holdfast.saga.internal;

import java.util.StringJoiner;

/**
 * The fingerprint that decides whether a node may drive a saga: names, kinds and order of the steps, local or external, how they
 * are undone, classes of results, tables. Not code, retries or timeouts.
 */
final class DefinitionHash {
    private DefinitionHash() {}

    static String of(Definition<?> definition) {
        StringJoiner text = new StringJoiner("\n");
        for (StepSpec<?> step : definition.steps()) {
            text.add(String.join(
                    "|",
                    step.name(),
                    step.signature().kind().name(),
                    place(definition, step),
                    undo(step),
                    result(step),
                    use(step)));
        }
        if (!definition.revalidated().isEmpty()) {
            text.add("revalidating " + String.join(",", definition.revalidated()));
        }
        return Digests.sha256(text.toString()).substring(0, 32);
    }

    private static String place(Definition<?> definition, StepSpec<?> step) {
        int at = definition.place(step.name());
        if (definition.pivot() == Definition.NO_PIVOT || at < definition.pivot()) {
            return "before";
        }
        return at == definition.pivot() ? "pivot" : "after";
    }

    private static String undo(StepSpec<?> step) {
        return step.undoing().getClass().getSimpleName();
    }

    private static String result(StepSpec<?> step) {
        Class<?> type = step.signature().resultClass();
        return type == null ? "" : type.getName();
    }

    private static String use(StepSpec<?> step) {
        StepSpec.Use use = step.extras().use();
        return use == null ? "" : use.role() + " " + use.resource().table();
    }
}
