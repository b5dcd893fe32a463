-- Holdfast, version 1: the sagas and their journal.
--
-- ${schema} stands for the quoted name of a schema that exists. The library fills it in (Schema.ddl, Schema.migrate); Flyway
-- does with the placeholder "schema" set to the quoted name. Nothing here depends on the search_path.
-- Each version records itself in saga_schema, so it does not matter who applied it.

CREATE TABLE ${schema}.saga_schema (
    version     integer     NOT NULL PRIMARY KEY,
    description text        NOT NULL,
    applied_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE  ${schema}.saga_schema             IS 'Versions of the saga tables that were applied here; the library looks at the highest when it starts.';
COMMENT ON COLUMN ${schema}.saga_schema.version     IS 'Version of the script.';
COMMENT ON COLUMN ${schema}.saga_schema.description IS 'What it brought.';
COMMENT ON COLUMN ${schema}.saga_schema.applied_at  IS 'When it was applied.';

-- One row per saga. Every change of it is a compare-and-set on run_seq.
CREATE TABLE ${schema}.saga (
    saga_id         uuid        NOT NULL PRIMARY KEY,
    type_name       text        NOT NULL,
    type_version    integer     NOT NULL,
    definition_hash text        NOT NULL,
    business_key    text        NOT NULL,
    identity        text        NOT NULL,
    incarnation     uuid        NOT NULL,
    data            jsonb       NOT NULL,
    state           text        NOT NULL,
    direction       text        NOT NULL,
    pivot           text        NOT NULL,
    step            text        NOT NULL,
    attempts        integer     NOT NULL,
    step_at         timestamptz NOT NULL,
    takeovers       integer     NOT NULL,
    run_seq         bigint      NOT NULL,
    owner           text,
    due_at          timestamptz,
    log_seq         bigint      NOT NULL,
    deadline_at     timestamptz,
    last_error      text,
    created_at      timestamptz NOT NULL,
    changed_at      timestamptz NOT NULL,
    CONSTRAINT saga_state_known     CHECK (state IN ('RUNNING', 'COMPENSATING', 'STUCK', 'COMPLETED', 'COMPENSATED')),
    CONSTRAINT saga_direction_known CHECK (direction IN ('FORWARD', 'BACKWARD')),
    CONSTRAINT saga_pivot_known     CHECK (pivot IN ('NONE', 'BEGUN', 'PASSED')),
    -- Who runs or completes goes forward, who compensates goes backward; who is stuck keeps the direction it had.
    CONSTRAINT saga_state_fits_direction CHECK (
        state = 'STUCK' OR (direction = 'BACKWARD') = (state IN ('COMPENSATING', 'COMPENSATED'))),
    -- From the pivot's beginning on nothing is undone (its own rejection first sets it back to NONE).
    CONSTRAINT saga_no_way_back_from_pivot CHECK (direction = 'FORWARD' OR pivot = 'NONE'),
    CONSTRAINT saga_pivot_is_decided       CHECK (state <> 'COMPLETED' OR pivot <> 'BEGUN'),
    -- Unfinished and not stuck means: due some day. Finished or stuck means: never, and nobody's.
    CONSTRAINT saga_due_while_it_moves CHECK ((due_at IS NOT NULL) = (state IN ('RUNNING', 'COMPENSATING'))),
    CONSTRAINT saga_owner_has_lease    CHECK (owner IS NULL OR due_at IS NOT NULL),
    CONSTRAINT saga_owner_has_claimed  CHECK (owner IS NULL OR run_seq >= 1),
    CONSTRAINT saga_counters           CHECK (attempts >= 0 AND takeovers >= 0 AND run_seq >= 0 AND log_seq >= 1),
    CONSTRAINT saga_version_from_one   CHECK (type_version >= 1),
    CONSTRAINT saga_names_not_empty    CHECK (type_name <> '' AND step <> '' AND business_key <> '' AND owner <> '')
)
-- Room on each page for the next version of its rows: a move then writes no index (HOT). Dead versions go early, because
-- the index of due sagas is read from its old end.
WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
      autovacuum_analyze_scale_factor = 0.05);

-- The due sagas of one definition, oldest first. Finished and stuck sagas are not in it, parked ones and leases that last
-- lie behind what is due: the cost of looking does not grow with them. The only changing column of any index is due_at, which
-- renewals and parking write but moves from step to step never do. No other index on a column that changes, even a partial one:
-- it would cost every move its HOT update.
CREATE INDEX saga_due ON ${schema}.saga (type_name, type_version, definition_hash, due_at) WHERE due_at IS NOT NULL;

COMMENT ON TABLE  ${schema}.saga                 IS 'One row per saga: where it stands, who drives it, when it is due.';
COMMENT ON COLUMN ${schema}.saga.saga_id         IS 'Derived from type_name and business_key, so that the primary key makes a start idempotent.';
COMMENT ON COLUMN ${schema}.saga.type_name       IS 'Name of the saga type.';
COMMENT ON COLUMN ${schema}.saga.type_version    IS 'Version of the saga type.';
COMMENT ON COLUMN ${schema}.saga.definition_hash IS 'Fingerprint of the definition it was started with; only nodes that have the same drive it.';
COMMENT ON COLUMN ${schema}.saga.business_key    IS 'What makes it the same saga when it is started again.';
COMMENT ON COLUMN ${schema}.saga.identity        IS 'Fingerprint of what must be the same when it is started again with the same key.';
COMMENT ON COLUMN ${schema}.saga.incarnation     IS 'Random; idempotency keys towards participants are built from it, the step and the direction.';
COMMENT ON COLUMN ${schema}.saga.data            IS 'What its steps work on.';
COMMENT ON COLUMN ${schema}.saga.state           IS 'RUNNING, COMPENSATING, STUCK (needs a person), COMPLETED or COMPENSATED (both final).';
COMMENT ON COLUMN ${schema}.saga.direction       IS 'FORWARD or BACKWARD; changes once, is kept while STUCK.';
COMMENT ON COLUMN ${schema}.saga.pivot           IS 'NONE, BEGUN (an external pivot may have been called) or PASSED; from BEGUN on it does not turn back.';
COMMENT ON COLUMN ${schema}.saga.step            IS 'Name of the current (or last) step.';
COMMENT ON COLUMN ${schema}.saga.attempts        IS 'Recorded outcomes of the current step, in this direction, that were not "done".';
COMMENT ON COLUMN ${schema}.saga.step_at         IS 'When the step became current.';
COMMENT ON COLUMN ${schema}.saga.takeovers       IS 'Leases that expired since the last recorded outcome.';
COMMENT ON COLUMN ${schema}.saga.run_seq         IS 'Fencing number: raised by every claim and whenever an attempt is given up that may still live. Never goes down.';
COMMENT ON COLUMN ${schema}.saga.owner           IS 'The node that drives it, with a part unique per start of its process; null when nobody does.';
COMMENT ON COLUMN ${schema}.saga.due_at          IS 'End of the lease while owned, else when it is to be taken up again; null when finished or stuck.';
COMMENT ON COLUMN ${schema}.saga.log_seq         IS 'Number of its last journal entry.';
COMMENT ON COLUMN ${schema}.saga.deadline_at     IS 'When it turns back by itself, unless its pivot has begun; null for never.';
COMMENT ON COLUMN ${schema}.saga.last_error      IS 'The last recorded error.';
COMMENT ON COLUMN ${schema}.saga.created_at      IS 'When it was started.';
COMMENT ON COLUMN ${schema}.saga.changed_at      IS 'When it last changed; the renewal of a lease is no change.';

-- The journal: only ever appended to. No foreign key to saga: an entry is written only by the statement that raises log_seq of
-- its saga, which proves that the saga is there; the key would make the server look for it again with every entry, and stand in
-- the way of keeping the journal longer than the row.
CREATE TABLE ${schema}.saga_log (
    saga_id   uuid        NOT NULL,
    seq       bigint      NOT NULL,
    at        timestamptz NOT NULL,
    kind      text        NOT NULL,
    step      text,
    direction text        NOT NULL,
    attempt   integer     NOT NULL,
    run_seq   bigint      NOT NULL,
    node      text        NOT NULL,
    result    jsonb,
    error     text,
    note      text,
    CONSTRAINT saga_log_pkey            PRIMARY KEY (saga_id, seq),
    CONSTRAINT saga_log_direction_known CHECK (direction IN ('FORWARD', 'BACKWARD')),
    CONSTRAINT saga_log_counters        CHECK (seq >= 1 AND attempt >= 0 AND run_seq >= 0),
    CONSTRAINT saga_log_names_not_empty CHECK (kind <> '' AND step <> '' AND node <> '')
);

COMMENT ON TABLE  ${schema}.saga_log           IS 'What happened to each saga, in order. Append-only; the truth about what is done.';
COMMENT ON COLUMN ${schema}.saga_log.saga_id   IS 'The saga.';
COMMENT ON COLUMN ${schema}.saga_log.seq       IS 'Number within the saga, from 1, without gaps.';
COMMENT ON COLUMN ${schema}.saga_log.at        IS 'When it was written, by the clock of the database.';
COMMENT ON COLUMN ${schema}.saga_log.kind      IS 'What happened: STARTED, STEP_DONE, STEP_FAILED, TURNED_BACK, TAKEN_OVER, ...';
COMMENT ON COLUMN ${schema}.saga_log.step      IS 'The step concerned, if any.';
COMMENT ON COLUMN ${schema}.saga_log.direction IS 'Direction of the saga after it.';
COMMENT ON COLUMN ${schema}.saga_log.attempt   IS 'Number of the attempt, from 1; 0 where no attempt is concerned.';
COMMENT ON COLUMN ${schema}.saga_log.run_seq   IS 'Fencing number under which it was written.';
COMMENT ON COLUMN ${schema}.saga_log.node      IS 'Who wrote it.';
COMMENT ON COLUMN ${schema}.saga_log.result    IS 'What the step returned; of a step that takes rows, its receipt.';
COMMENT ON COLUMN ${schema}.saga_log.error     IS 'The error, without what the server calls details.';
COMMENT ON COLUMN ${schema}.saga_log.note      IS 'For people: who and why, former owner, wake-up time.';

INSERT INTO ${schema}.saga_schema (version, description) VALUES (1, 'sagas');
