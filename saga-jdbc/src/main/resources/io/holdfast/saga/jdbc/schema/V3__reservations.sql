-- Holdfast, version 3: reservations. Units of a limited resource that a saga keeps for a while; see docs/how-to/reserve-stock.md.

CREATE TABLE ${schema}.saga_reservation (
    saga_id     uuid        NOT NULL,
    incarnation uuid        NOT NULL,
    step        text        NOT NULL,
    table_name  text        NOT NULL,
    resource_id text        NOT NULL,
    quantity    bigint      NOT NULL,
    exclusive   boolean     NOT NULL,
    state       text        NOT NULL,
    expires_at  timestamptz NOT NULL,
    created_at  timestamptz NOT NULL,
    changed_at  timestamptz NOT NULL,
    -- The row outlives the reservation: whoever reserves again under this key, too late, finds it.
    CONSTRAINT saga_reservation_pkey            PRIMARY KEY (saga_id, step, incarnation),
    CONSTRAINT saga_reservation_state_known     CHECK (state IN ('HELD', 'FIRM', 'SETTLED', 'RELEASED', 'EXPIRED')),
    CONSTRAINT saga_reservation_quantity        CHECK (quantity >= 1 AND (quantity = 1 OR NOT exclusive)),
    CONSTRAINT saga_reservation_names_not_empty CHECK (step <> '' AND table_name <> '' AND resource_id <> '')
)
WITH (fillfactor = 90);

-- What is open of one resource: the sum that a new reservation must not exceed. Ended ones are not in it.
CREATE INDEX saga_reservation_open ON ${schema}.saga_reservation (table_name, resource_id) WHERE state IN ('HELD', 'FIRM');
-- One holder of what is exclusive, and none after it is settled. A holder whose time is over is set to EXPIRED by the next one.
CREATE UNIQUE INDEX saga_reservation_exclusive ON ${schema}.saga_reservation (table_name, resource_id)
    WHERE exclusive AND state IN ('HELD', 'FIRM', 'SETTLED');
-- What the reaper records as expired.
CREATE INDEX saga_reservation_expiring ON ${schema}.saga_reservation (expires_at) WHERE state = 'HELD';

COMMENT ON TABLE  ${schema}.saga_reservation             IS 'Units of limited resources that sagas keep. HELD ones are free again once expires_at has passed, whether or not somebody has recorded it.';
COMMENT ON COLUMN ${schema}.saga_reservation.saga_id     IS 'The saga.';
COMMENT ON COLUMN ${schema}.saga_reservation.incarnation IS 'Its incarnation: a saga that is started again after its rows were purged has another one.';
COMMENT ON COLUMN ${schema}.saga_reservation.step        IS 'The step that reserved.';
COMMENT ON COLUMN ${schema}.saga_reservation.table_name  IS 'The table of the resource, quoted as in SQL; or the name of an exclusive resource.';
COMMENT ON COLUMN ${schema}.saga_reservation.resource_id IS 'Its key as the database prints it; a JSON array where the key has several columns.';
COMMENT ON COLUMN ${schema}.saga_reservation.quantity    IS 'How many units.';
COMMENT ON COLUMN ${schema}.saga_reservation.exclusive   IS 'Whether there is only one of it.';
COMMENT ON COLUMN ${schema}.saga_reservation.state       IS 'HELD (until expires_at), FIRM (the pivot has begun: no expiry any more), SETTLED, RELEASED or EXPIRED.';
COMMENT ON COLUMN ${schema}.saga_reservation.expires_at  IS 'Until when it is kept while HELD.';
COMMENT ON COLUMN ${schema}.saga_reservation.created_at  IS 'When it was made.';
COMMENT ON COLUMN ${schema}.saga_reservation.changed_at  IS 'When its state was last recorded.';

CREATE VIEW ${schema}.saga_reservations AS
SELECT r.saga_id, s.type_name, s.business_key, s.state AS saga_state, r.step, r.table_name, r.resource_id, r.quantity, r.exclusive,
       CASE WHEN r.state = 'HELD' AND r.expires_at <= clock_timestamp() THEN 'EXPIRED' ELSE r.state END AS state,
       r.expires_at, r.created_at, r.changed_at
FROM ${schema}.saga_reservation r LEFT JOIN ${schema}.saga s ON s.saga_id = r.saga_id AND s.incarnation = r.incarnation;

COMMENT ON VIEW   ${schema}.saga_reservations              IS 'Reservations as they stand now: one whose time is over is EXPIRED, whether or not the reaper has recorded it.';
COMMENT ON COLUMN ${schema}.saga_reservations.saga_id      IS 'The saga.';
COMMENT ON COLUMN ${schema}.saga_reservations.type_name    IS 'Name of its type; null when the saga was purged.';
COMMENT ON COLUMN ${schema}.saga_reservations.business_key IS 'Its business key; null when the saga was purged.';
COMMENT ON COLUMN ${schema}.saga_reservations.saga_state   IS 'Its state; null when the saga was purged.';
COMMENT ON COLUMN ${schema}.saga_reservations.step         IS 'The step that reserved.';
COMMENT ON COLUMN ${schema}.saga_reservations.table_name   IS 'The table of the resource, quoted as in SQL; or the name of an exclusive resource.';
COMMENT ON COLUMN ${schema}.saga_reservations.resource_id  IS 'Its key as the database prints it; a JSON array where the key has several columns.';
COMMENT ON COLUMN ${schema}.saga_reservations.quantity     IS 'How many units.';
COMMENT ON COLUMN ${schema}.saga_reservations.exclusive    IS 'Whether there is only one of it.';
COMMENT ON COLUMN ${schema}.saga_reservations.state        IS 'HELD, FIRM (from the pivot on), SETTLED, RELEASED or EXPIRED.';
COMMENT ON COLUMN ${schema}.saga_reservations.expires_at   IS 'Until when it is, or was, kept while HELD.';
COMMENT ON COLUMN ${schema}.saga_reservations.created_at   IS 'When it was made.';
COMMENT ON COLUMN ${schema}.saga_reservations.changed_at   IS 'When its state was last recorded.';

INSERT INTO ${schema}.saga_schema (version, description) VALUES (3, 'reservations');
