-- Holdfast, version 2: views for auditors and operators. They read; nothing in the library depends on them but the audit queries.
-- Payloads are in none of them. Columns are only ever added at the end.

-- Alarms ask for stuck sagas often, and there are few. The index is touched only when a saga gets stuck, goes on or ends.
CREATE INDEX saga_stuck_by_age ON ${schema}.saga (created_at, saga_id) WHERE state = 'STUCK';

CREATE VIEW ${schema}.saga_open AS
SELECT s.saga_id, s.type_name, s.type_version, s.business_key, s.state, s.direction, s.pivot, s.step, s.attempts, s.takeovers,
       s.owner, s.due_at, coalesce(s.due_at < clock_timestamp(), false) AS overdue, s.deadline_at, s.last_error, s.step_at,
       s.created_at, s.changed_at
FROM ${schema}.saga s
-- the same as "not finished", in the words of the indexes
WHERE s.due_at IS NOT NULL OR s.state = 'STUCK';

COMMENT ON VIEW   ${schema}.saga_open         IS 'Sagas that have not ended. Owned and overdue: its node is gone, or cannot reach the database. Unowned and overdue for long: no node has this definition, or none has a free slot.';
COMMENT ON COLUMN ${schema}.saga_open.overdue IS 'Whether due_at has passed.';
COMMENT ON COLUMN ${schema}.saga_open.saga_id      IS 'Derived from type_name and business_key, so that the primary key makes a start idempotent.';
COMMENT ON COLUMN ${schema}.saga_open.type_name    IS 'Name of the saga type.';
COMMENT ON COLUMN ${schema}.saga_open.type_version IS 'Version of the saga type.';
COMMENT ON COLUMN ${schema}.saga_open.business_key IS 'What makes it the same saga when it is started again.';
COMMENT ON COLUMN ${schema}.saga_open.state        IS 'RUNNING, COMPENSATING, STUCK (needs a person), COMPLETED or COMPENSATED (both final).';
COMMENT ON COLUMN ${schema}.saga_open.direction    IS 'FORWARD or BACKWARD; changes once, is kept while STUCK.';
COMMENT ON COLUMN ${schema}.saga_open.pivot        IS 'NONE, BEGUN (an external pivot may have been called) or PASSED; from BEGUN on it does not turn back.';
COMMENT ON COLUMN ${schema}.saga_open.step         IS 'Name of the current (or last) step.';
COMMENT ON COLUMN ${schema}.saga_open.attempts     IS 'Recorded outcomes of the current step, in this direction, that were not "done".';
COMMENT ON COLUMN ${schema}.saga_open.takeovers    IS 'Leases that expired since the last recorded outcome.';
COMMENT ON COLUMN ${schema}.saga_open.owner        IS 'The node that drives it, with a part unique per start of its process; null when nobody does.';
COMMENT ON COLUMN ${schema}.saga_open.due_at       IS 'End of the lease while owned, else when it is to be taken up again; null when finished or stuck.';
COMMENT ON COLUMN ${schema}.saga_open.deadline_at  IS 'When it turns back by itself, unless its pivot has begun; null for never.';
COMMENT ON COLUMN ${schema}.saga_open.last_error   IS 'The last recorded error.';
COMMENT ON COLUMN ${schema}.saga_open.step_at      IS 'When the step became current.';
COMMENT ON COLUMN ${schema}.saga_open.created_at   IS 'When it was started.';
COMMENT ON COLUMN ${schema}.saga_open.changed_at   IS 'When it last changed; the renewal of a lease is no change.';

CREATE VIEW ${schema}.saga_stuck AS
SELECT s.saga_id, s.type_name, s.type_version, s.business_key, s.step, s.direction, s.pivot, s.attempts, s.takeovers,
       s.pivot = 'NONE' AND s.direction = 'FORWARD' AS can_turn_back, s.last_error, s.created_at, s.changed_at AS stuck_at
FROM ${schema}.saga s
WHERE s.state = 'STUCK';

COMMENT ON VIEW   ${schema}.saga_stuck               IS 'Sagas that need a person. They keep their locks.';
COMMENT ON COLUMN ${schema}.saga_stuck.can_turn_back IS 'Whether an operator can have it undone; else only retry is left.';
COMMENT ON COLUMN ${schema}.saga_stuck.stuck_at      IS 'When it got stuck.';
COMMENT ON COLUMN ${schema}.saga_stuck.saga_id      IS 'Derived from type_name and business_key, so that the primary key makes a start idempotent.';
COMMENT ON COLUMN ${schema}.saga_stuck.type_name    IS 'Name of the saga type.';
COMMENT ON COLUMN ${schema}.saga_stuck.type_version IS 'Version of the saga type.';
COMMENT ON COLUMN ${schema}.saga_stuck.business_key IS 'What makes it the same saga when it is started again.';
COMMENT ON COLUMN ${schema}.saga_stuck.step         IS 'Name of the current (or last) step.';
COMMENT ON COLUMN ${schema}.saga_stuck.direction    IS 'FORWARD or BACKWARD; changes once, is kept while STUCK.';
COMMENT ON COLUMN ${schema}.saga_stuck.pivot        IS 'NONE, BEGUN (an external pivot may have been called) or PASSED; from BEGUN on it does not turn back.';
COMMENT ON COLUMN ${schema}.saga_stuck.attempts     IS 'Recorded outcomes of the current step, in this direction, that were not "done".';
COMMENT ON COLUMN ${schema}.saga_stuck.takeovers    IS 'Leases that expired since the last recorded outcome.';
COMMENT ON COLUMN ${schema}.saga_stuck.last_error   IS 'The last recorded error.';
COMMENT ON COLUMN ${schema}.saga_stuck.created_at   IS 'When it was started.';

CREATE VIEW ${schema}.saga_timeline AS
SELECT l.saga_id, s.type_name, s.type_version, s.business_key, l.seq, l.at,
       l.at - lag(l.at) OVER (PARTITION BY l.saga_id ORDER BY l.seq) AS after,
       l.kind, l.step, l.direction, l.attempt, l.run_seq, l.node, l.note, l.error
FROM ${schema}.saga_log l LEFT JOIN ${schema}.saga s ON s.saga_id = l.saga_id;

COMMENT ON VIEW   ${schema}.saga_timeline       IS 'What happened to each saga; ask for one saga_id, ordered by seq.';
COMMENT ON COLUMN ${schema}.saga_timeline.after IS 'Time since the entry before.';
COMMENT ON COLUMN ${schema}.saga_timeline.saga_id      IS 'The saga.';
COMMENT ON COLUMN ${schema}.saga_timeline.type_name    IS 'Name of the saga type.';
COMMENT ON COLUMN ${schema}.saga_timeline.type_version IS 'Version of the saga type.';
COMMENT ON COLUMN ${schema}.saga_timeline.business_key IS 'What makes it the same saga when it is started again.';
COMMENT ON COLUMN ${schema}.saga_timeline.seq          IS 'Number within the saga, from 1, without gaps.';
COMMENT ON COLUMN ${schema}.saga_timeline.at           IS 'When it was written, by the clock of the database.';
COMMENT ON COLUMN ${schema}.saga_timeline.kind         IS 'What happened: STARTED, STEP_DONE, STEP_FAILED, TURNED_BACK, TAKEN_OVER, ...';
COMMENT ON COLUMN ${schema}.saga_timeline.step         IS 'The step concerned, if any.';
COMMENT ON COLUMN ${schema}.saga_timeline.direction    IS 'Direction of the saga after it.';
COMMENT ON COLUMN ${schema}.saga_timeline.attempt      IS 'Number of the attempt, from 1; 0 where no attempt is concerned.';
COMMENT ON COLUMN ${schema}.saga_timeline.run_seq      IS 'Fencing number under which it was written.';
COMMENT ON COLUMN ${schema}.saga_timeline.node         IS 'Who wrote it.';
COMMENT ON COLUMN ${schema}.saga_timeline.note         IS 'For people: who and why, former owner, wake-up time.';
COMMENT ON COLUMN ${schema}.saga_timeline.error        IS 'The error, without what the server calls details.';

-- A claim's receipt names its table ("lock") and its rows; the receipt of a release names the claims it ended ("released").
-- A row that was re-entered is held by the claim that acquired it. The CASEs are for results of the application's own steps, which may
-- look like anything.
CREATE VIEW ${schema}.saga_locks AS
SELECT s.saga_id, s.type_name, s.type_version, s.business_key, s.state, s.owner, l.step AS claimed_by,
       l.result ->> 'lock' AS table_name,
       CASE WHEN r.item -> 'id' -> 1 IS NULL THEN r.item -> 'id' ->> 0 ELSE CAST(r.item -> 'id' AS text) END AS row_id,
       r.item ->> 'former' AS former_status, l.at AS claimed_at
FROM ${schema}.saga s
JOIN ${schema}.saga_log l ON l.saga_id = s.saga_id
CROSS JOIN LATERAL jsonb_array_elements(
    CASE jsonb_typeof(l.result -> 'rows') WHEN 'array' THEN l.result -> 'rows' ELSE '[]' END) AS r (item)
WHERE (s.due_at IS NOT NULL OR s.state = 'STUCK')
  AND l.kind = 'STEP_DONE' AND l.result -> 'lock' IS NOT NULL AND l.result -> 'millis' IS NOT NULL AND r.item ->> 'how' = 'ACQUIRED'
  AND NOT EXISTS (SELECT 1 FROM ${schema}.saga_log e
                  WHERE e.saga_id = l.saga_id AND e.seq > l.seq
                    AND (e.kind = 'STEP_UNDONE' AND e.step = l.step
                         OR e.kind = 'STEP_DONE' AND e.result -> 'released' @> to_jsonb(l.step)));

COMMENT ON VIEW   ${schema}.saga_locks               IS 'Rows that unfinished sagas hold, as their journals say. Finished sagas hold none.';
COMMENT ON COLUMN ${schema}.saga_locks.claimed_by    IS 'The step that took the row.';
COMMENT ON COLUMN ${schema}.saga_locks.row_id        IS 'Its key; a JSON array where the key has several columns.';
COMMENT ON COLUMN ${schema}.saga_locks.former_status IS 'The status that undoing restores.';
COMMENT ON COLUMN ${schema}.saga_locks.saga_id      IS 'The saga that holds the row.';
COMMENT ON COLUMN ${schema}.saga_locks.type_name    IS 'Name of the saga type.';
COMMENT ON COLUMN ${schema}.saga_locks.type_version IS 'Version of the saga type.';
COMMENT ON COLUMN ${schema}.saga_locks.business_key IS 'What makes it the same saga when it is started again.';
COMMENT ON COLUMN ${schema}.saga_locks.state        IS 'RUNNING, COMPENSATING, STUCK (needs a person), COMPLETED or COMPENSATED (both final).';
COMMENT ON COLUMN ${schema}.saga_locks.owner        IS 'The node that drives it, with a part unique per start of its process; null when nobody does.';
COMMENT ON COLUMN ${schema}.saga_locks.table_name   IS 'Its table, quoted as in SQL.';
COMMENT ON COLUMN ${schema}.saga_locks.claimed_at   IS 'When it was taken.';

-- The journal says of a failed or waiting claim who held the row; as long as nothing has come after it, that is what the saga waits for.
CREATE VIEW ${schema}.saga_waits AS
SELECT s.saga_id, s.type_name, s.business_key, s.state, s.step, s.due_at AS next_try_at, h.saga_id AS holder_id,
       h.type_name AS holder_type, h.business_key AS holder_key, h.state AS holder_state, h.step AS holder_step,
       w.at AS seen_at, w.error
FROM ${schema}.saga s
CROSS JOIN LATERAL (
    -- a wait is no failure: its PARKED entry has the reason as a note
    SELECT l.at, coalesce(l.error, l.note) AS error FROM ${schema}.saga_log l
    WHERE l.saga_id = s.saga_id AND l.step = s.step AND l.at >= s.step_at AND (l.error IS NOT NULL OR l.kind = 'PARKED')
    ORDER BY l.seq DESC LIMIT 1) AS w
JOIN ${schema}.saga h
  ON h.saga_id = CAST(substring(w.error FROM 'SAGA-401: .* is held by saga ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})') AS uuid)
WHERE s.due_at IS NOT NULL AND s.state = 'RUNNING';

COMMENT ON VIEW   ${schema}.saga_waits             IS 'Who waits for whom: running sagas whose current claim found a row held by another saga.';
COMMENT ON COLUMN ${schema}.saga_waits.next_try_at IS 'When it tries again (or the end of its lease, where it waits in place).';
COMMENT ON COLUMN ${schema}.saga_waits.seen_at     IS 'When it last found the row held.';
COMMENT ON COLUMN ${schema}.saga_waits.saga_id      IS 'The saga that waits.';
COMMENT ON COLUMN ${schema}.saga_waits.type_name    IS 'Name of the saga type.';
COMMENT ON COLUMN ${schema}.saga_waits.business_key IS 'What makes it the same saga when it is started again.';
COMMENT ON COLUMN ${schema}.saga_waits.state        IS 'RUNNING, COMPENSATING, STUCK (needs a person), COMPLETED or COMPENSATED (both final).';
COMMENT ON COLUMN ${schema}.saga_waits.step         IS 'The claim that waits.';
COMMENT ON COLUMN ${schema}.saga_waits.holder_id    IS 'The saga that holds the row.';
COMMENT ON COLUMN ${schema}.saga_waits.holder_type  IS 'Its type.';
COMMENT ON COLUMN ${schema}.saga_waits.holder_key   IS 'Its business key.';
COMMENT ON COLUMN ${schema}.saga_waits.holder_state IS 'Its state now.';
COMMENT ON COLUMN ${schema}.saga_waits.holder_step  IS 'Its step now.';
COMMENT ON COLUMN ${schema}.saga_waits.error        IS 'What was found: the row, its holder and its deadline.';

INSERT INTO ${schema}.saga_schema (version, description) VALUES (2, 'views');
