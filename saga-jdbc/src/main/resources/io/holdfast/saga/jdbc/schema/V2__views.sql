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

CREATE VIEW ${schema}.saga_stuck AS
SELECT s.saga_id, s.type_name, s.type_version, s.business_key, s.step, s.direction, s.pivot, s.attempts, s.takeovers,
       s.pivot = 'NONE' AND s.direction = 'FORWARD' AS can_turn_back, s.last_error, s.created_at, s.changed_at AS stuck_at
FROM ${schema}.saga s
WHERE s.state = 'STUCK';

COMMENT ON VIEW   ${schema}.saga_stuck               IS 'Sagas that need a person. They keep their locks.';
COMMENT ON COLUMN ${schema}.saga_stuck.can_turn_back IS 'Whether an operator can have it undone; else only retry is left.';
COMMENT ON COLUMN ${schema}.saga_stuck.stuck_at      IS 'When it got stuck.';

CREATE VIEW ${schema}.saga_timeline AS
SELECT l.saga_id, s.type_name, s.type_version, s.business_key, l.seq, l.at,
       l.at - lag(l.at) OVER (PARTITION BY l.saga_id ORDER BY l.seq) AS after,
       l.kind, l.step, l.direction, l.attempt, l.run_seq, l.node, l.note, l.error
FROM ${schema}.saga_log l LEFT JOIN ${schema}.saga s ON s.saga_id = l.saga_id;

COMMENT ON VIEW   ${schema}.saga_timeline       IS 'What happened to each saga; ask for one saga_id, ordered by seq.';
COMMENT ON COLUMN ${schema}.saga_timeline.after IS 'Time since the entry before.';

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

INSERT INTO ${schema}.saga_schema (version, description) VALUES (2, 'views');
