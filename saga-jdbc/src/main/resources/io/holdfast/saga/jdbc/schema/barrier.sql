-- Holdfast: the table of the barrier, which is independent of the saga tables and stands in the participant's own database; see
-- docs/how-to/guard-a-participant.md. Can be run again.

CREATE TABLE IF NOT EXISTS ${schema}.saga_barrier (
    action      text        NOT NULL,
    step        text        NOT NULL,
    state       text        NOT NULL,
    result      jsonb,
    undo_result jsonb,
    changed_at  timestamptz NOT NULL,
    -- What two calls of one action meet at: the second waits here for the first one's transaction.
    CONSTRAINT saga_barrier_pkey             PRIMARY KEY (action, step),
    CONSTRAINT saga_barrier_state_known      CHECK (state IN ('DONE', 'UNDONE', 'EMPTY')),
    CONSTRAINT saga_barrier_action_not_empty CHECK (action <> ''),
    CONSTRAINT saga_barrier_result_of_action CHECK (result IS NULL OR state <> 'EMPTY'),
    CONSTRAINT saga_barrier_result_of_undo   CHECK (undo_result IS NULL OR state = 'UNDONE')
);

-- What is old enough to be purged.
CREATE INDEX IF NOT EXISTS saga_barrier_age ON ${schema}.saga_barrier (changed_at);

COMMENT ON TABLE  ${schema}.saga_barrier             IS 'Calls of sagas that this participant has answered. Each row is written in the transaction of the change it stands for.';
COMMENT ON COLUMN ${schema}.saga_barrier.action      IS 'The idempotency key of the action; or the saga''s id, where the step is named.';
COMMENT ON COLUMN ${schema}.saga_barrier.step        IS 'The step; empty where the action is known by its key.';
COMMENT ON COLUMN ${schema}.saga_barrier.state       IS 'DONE; UNDONE (done, then undone); or EMPTY (undone without having been done: the action is refused when it comes).';
COMMENT ON COLUMN ${schema}.saga_barrier.result      IS 'What the action returned, as JSON; null: nothing.';
COMMENT ON COLUMN ${schema}.saga_barrier.undo_result IS 'What the undo returned, as JSON; null: nothing.';
COMMENT ON COLUMN ${schema}.saga_barrier.changed_at  IS 'When the state was reached, by the database''s clock.';
