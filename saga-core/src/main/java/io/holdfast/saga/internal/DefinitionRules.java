package io.holdfast.saga.internal;

import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.internal.StepSpec.Role;
import io.holdfast.saga.internal.StepSpec.Use;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules that concern several steps, or a step and its place. */
final class DefinitionRules<D> {
    private final SagaType<D> type;
    private final List<StepSpec<D>> steps;
    private final int pivot;

    private DefinitionRules(SagaType<D> type, List<StepSpec<D>> steps, int pivot) {
        this.type = type;
        this.steps = steps;
        this.pivot = pivot;
    }

    static <D> void check(
            SagaType<D> type,
            List<StepSpec<D>> steps,
            int pivot,
            List<String> revalidated,
            @Nullable Duration deadline) {
        DefinitionRules<D> rules = new DefinitionRules<>(type, steps, pivot);
        if (steps.isEmpty()) {
            throw rules.refused(SagaError.EMPTY_DEFINITION, "it has no step");
        }
        if (pivot != Definition.NO_PIVOT && steps.get(pivot).extras().condition() != null) {
            throw rules.refused(
                    SagaError.CONDITION_ON_PIVOT,
                    "the pivot \"" + steps.get(pivot).name()
                            + "\" has a condition; what may be skipped is no point of no return");
        }
        steps.forEach(rules::checkUse);
        revalidated.forEach(rules::checkRevalidated);
        if (deadline != null) {
            rules.checkDeadline(deadline);
        }
    }

    private void checkUse(StepSpec<D> step) {
        Use use = step.extras().use();
        if (use == null || use.role() == Role.TOUCH) {
            return;
        }
        StepSpec<D> partner = partner(step, use);
        if (use.role() == Role.CLAIM) {
            checkClaim(step, use, partner);
        } else if (partner == null || steps.indexOf(partner) > steps.indexOf(step)) {
            throw refused(
                    SagaError.RELEASE_WITHOUT_CLAIM,
                    "step \"" + step.name()
                            + "\" releases what no earlier step claims; claim and release must be made from the"
                            + " same lock object");
        }
        if (partner != null
                && (partner.extras().condition() == null) != (step.extras().condition() == null)) {
            throw refused(
                    SagaError.CONDITION_ON_HALF_A_LOCK,
                    "of \"" + step.name() + "\" and \"" + partner.name() + "\" only one has a condition");
        }
    }

    private void checkClaim(StepSpec<D> step, Use use, @Nullable StepSpec<D> partner) {
        if (partner == null) {
            throw refused(
                    SagaError.CLAIM_WITHOUT_RELEASE,
                    "step \"" + step.name() + "\" claims rows of "
                            + use.resource().table()
                            + " that no later step releases; claim and release must be made from the same lock object");
        }
        if (use.hold().mayBeTakenOver()
                && pivot != Definition.NO_PIVOT
                && steps.get(pivot).isExternal()) {
            throw refused(
                    SagaError.TAKE_OVER_NEEDS_LOCAL_PIVOT,
                    "step \"" + step.name()
                            + "\" lets expired locks be taken over, which needs a local pivot that can assert"
                            + " them; \"" + steps.get(pivot).name() + "\" is external");
        }
    }

    @SuppressWarnings("ReferenceEquality") // this very step
    private @Nullable StepSpec<D> partner(StepSpec<D> step, Use use) {
        Role wanted = use.role() == Role.CLAIM ? Role.RELEASE : Role.CLAIM;
        return steps.stream()
                .filter(other -> other != step && other.extras().isHolding())
                .filter(other -> isPartner(other.extras().use(), use, wanted))
                .findFirst()
                .orElse(null);
    }

    private static boolean isPartner(@Nullable Use other, Use use, Role wanted) {
        return other != null
                && other.role() == wanted
                && other.resource().token() == use.resource().token();
    }

    private void checkRevalidated(String read) {
        boolean fits = steps.subList(0, pivot).stream()
                .anyMatch(step -> step.name().equals(read) && step.extras().reread() != null);
        if (!fits) {
            throw refused(
                    SagaError.REVALIDATION_WITHOUT_READ,
                    "the pivot \"" + steps.get(pivot).name() + "\" revalidates \"" + read
                            + "\", which is no read step before it");
        }
    }

    private void checkDeadline(Duration deadline) {
        int end = pivot == Definition.NO_PIVOT ? steps.size() : pivot + 1;
        for (StepSpec<D> step : steps.subList(0, end)) {
            RetryPolicy retry = step.policies().retry();
            int waits = retry.attemptLimit().orElse(2) - 1;
            if (retry.isFixed() && retry.delayCap(1).multipliedBy(waits).compareTo(deadline) >= 0) {
                throw refused(
                        SagaError.DEADLINE_TOO_SHORT,
                        "the deadline of " + deadline + " ends before step \"" + step.name() + "\" can be tried "
                                + retry);
            }
        }
    }

    private SagaDefinitionException refused(SagaError error, String why) {
        return new SagaDefinitionException(error, "definition of " + type + " is refused: " + why);
    }
}
