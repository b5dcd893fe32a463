package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

/** What must be so after every test, whatever it did: each query finds what is wrong. */
final class StandingChecks {
    private final World world;

    private StandingChecks(World world) {
        this.world = world;
    }

    static void verify(World world) {
        StandingChecks checks = new StandingChecks(world);
        checks.noRowIsPendingForAFinishedSaga();
        checks.everySagaHasEndedOrIsDue();
        checks.everyStepIsDoneAndUndoneOnce();
        checks.everyRepetitionHasTheSameKey();
        checks.theJournalIsInOrder();
        checks.aSagaEndsOnce();
        checks.businessWritesAreWhatTheJournalSays();
        checks.nothingIsInEffectForACompensatedSaga();
        world.database().assertNoLeaks();
    }

    private void none(String what, String sql) {
        assertThat(world.rows(sql)).as(what).isEmpty();
    }

    /** S1. */
    private void noRowIsPendingForAFinishedSaga() {
        none("rows held by finished sagas", """
                SELECT o.* FROM orders o JOIN {saga} s ON s.saga_id = o.saga_id
                WHERE s.state IN ('COMPLETED', 'COMPENSATED')""");
    }

    /** S2; a stuck one waits for a person. */
    private void everySagaHasEndedOrIsDue() {
        none("sagas that nobody will ever look at", """
                SELECT * FROM {saga}
                WHERE state NOT IN ('COMPLETED', 'COMPENSATED', 'STUCK') AND due_at IS NULL""");
    }

    /** S3, first half. */
    private void everyStepIsDoneAndUndoneOnce() {
        none("steps with two accepted outcomes", """
                SELECT saga_id, step, kind, count(*) FROM {log} WHERE kind IN ('STEP_DONE', 'STEP_UNDONE')
                GROUP BY saga_id, step, kind HAVING count(*) > 1""");
    }

    /** S3, second half: the same for one step and phase, on every attempt and node, and no other's. */
    private void everyRepetitionHasTheSameKey() {
        none("executions with another key than the first", """
                SELECT saga_id, step, phase, array_agg(DISTINCT idem_key) FROM effect
                GROUP BY saga_id, step, phase HAVING count(DISTINCT idem_key) > 1""");
        none("keys of two steps", """
                SELECT idem_key FROM effect GROUP BY idem_key HAVING count(DISTINCT (saga_id, step, phase)) > 1""");
    }

    /** S4: numbers without gaps, fencing numbers that never go back. */
    private void theJournalIsInOrder() {
        none("entries that are missing", """
                SELECT s.saga_id, s.log_seq, count(l.seq), max(l.seq) FROM {saga} s LEFT JOIN {log} l USING (saga_id)
                GROUP BY s.saga_id, s.log_seq HAVING count(l.seq) <> s.log_seq OR max(l.seq) <> s.log_seq""");
        none("entries of a run that was fenced off", """
                SELECT * FROM (
                    SELECT *, max(run_seq) OVER (PARTITION BY saga_id ORDER BY seq) AS highest
                    FROM {log} WHERE kind <> 'LATE') AS l
                WHERE run_seq < highest""");
        none("sagas whose fencing number went back", """
                SELECT s.* FROM {saga} s
                WHERE s.run_seq < (SELECT max(l.run_seq) FROM {log} l WHERE l.saga_id = s.saga_id)""");
    }

    /** S4: one end, nothing but what comes too late behind it, and the row says the same. */
    private void aSagaEndsOnce() {
        none("sagas with another end than their journal", """
                SELECT s.saga_id, s.state, array_agg(l.kind) FROM {saga} s
                LEFT JOIN {log} l ON l.saga_id = s.saga_id AND l.kind IN ('COMPLETED', 'COMPENSATED')
                GROUP BY s.saga_id, s.state
                HAVING CASE WHEN s.state IN ('COMPLETED', 'COMPENSATED')
                            THEN array_agg(l.kind) <> ARRAY[s.state] ELSE count(l.kind) > 0 END""");
        none("entries behind the end", """
                SELECT l.* FROM {log} l JOIN {log} e USING (saga_id)
                WHERE e.kind IN ('COMPLETED', 'COMPENSATED') AND l.seq > e.seq AND l.kind <> 'LATE'""");
    }

    /** Each local step of these tests takes one, each undo of one gives it back. */
    private void businessWritesAreWhatTheJournalSays() {
        int taken = world.value(Integer.class, """
                SELECT (count(*) FILTER (WHERE kind = 'STEP_DONE') - count(*) FILTER (WHERE kind = 'STEP_UNDONE'))::int
                FROM {log} WHERE step LIKE 'take%'""");
        assertThat(world.stock()).as("stock after %s local steps", taken).isEqualTo(10 - taken);
    }

    /** The protocol's own S2. */
    private void nothingIsInEffectForACompensatedSaga() {
        none("calls in effect for compensated sagas", """
                SELECT p.* FROM participant p JOIN {saga} s USING (saga_id)
                WHERE s.state = 'COMPENSATED' AND p.state = 'DONE'""");
    }
}
