package io.holdfast.saga;

/**
 * The codes of everything the library refuses or reports. A code is kept for ever and has a section of its own in
 * {@code docs/errors.md}: what it means, what the library does next, how to fix it, common mistakes.
 */
public enum SagaError {
    // 1xx: a definition, a type, a step or a setting that is refused where it is given
    /** A name is refused. */
    INVALID_NAME("SAGA-101"),
    /** A version is refused. */
    INVALID_VERSION("SAGA-102"),
    /** A class cannot be stored. */
    INVALID_PAYLOAD_CLASS("SAGA-103"),
    /** A duration is refused. */
    INVALID_DURATION("SAGA-104"),
    /** A number or text is out of bounds. */
    INVALID_LIMIT("SAGA-105"),
    /** Null is refused. */
    NULL_ARGUMENT("SAGA-106"),
    /** Two steps have one name. */
    DUPLICATE_STEP("SAGA-110"),
    /** A definition has no step. */
    EMPTY_DEFINITION("SAGA-111"),
    /** A step is not the library's. */
    FOREIGN_STEP("SAGA-112"),
    /** A claim without a release. */
    CLAIM_WITHOUT_RELEASE("SAGA-113"),
    /** A release without a claim. */
    RELEASE_WITHOUT_CLAIM("SAGA-114"),
    /** A condition on half a lock. */
    CONDITION_ON_HALF_A_LOCK("SAGA-115"),
    /** A deadline ends before the retries. */
    DEADLINE_TOO_SHORT("SAGA-116"),
    /** Taking over needs a local pivot. */
    TAKE_OVER_NEEDS_LOCAL_PIVOT("SAGA-117"),
    /** Two definitions of one type. */
    DUPLICATE_DEFINITION("SAGA-118"),
    /** A pivot has a condition. */
    CONDITION_ON_PIVOT("SAGA-119"),
    /** A business table is refused. */
    INVALID_BUSINESS_TABLE("SAGA-120"),
    /** A setting is refused. */
    INVALID_SETTING("SAGA-121"),
    /** The schema is not the expected one. */
    SCHEMA_MISMATCH("SAGA-122"),
    /** A lock is refused. */
    INVALID_LOCK("SAGA-123"),
    /** What is revalidated is no read. */
    REVALIDATION_WITHOUT_READ("SAGA-124"),
    /** A reservation is refused. */
    INVALID_RESERVATION("SAGA-125"),
    /** A counter is refused. */
    INVALID_COUNTER("SAGA-126"),
    /** A versioned edit is refused. */
    INVALID_EDIT("SAGA-127"),
    // 2xx: a call that cannot be answered
    /** A business key is refused. */
    INVALID_BUSINESS_KEY("SAGA-201"),
    /** A type is not registered. */
    UNKNOWN_TYPE("SAGA-202"),
    /** A step has no result here. */
    NO_SUCH_RESULT("SAGA-203"),
    /** A context is used after its call. */
    CONTEXT_CLOSED("SAGA-204"),
    /** The engine is closed. */
    CLOSED("SAGA-205"),
    /** A transaction is refused. */
    TRANSACTION_REFUSED("SAGA-206"),
    /** The caller's transaction has to be repeated. */
    RETRY_YOUR_TRANSACTION("SAGA-207"),
    /** A stub is missing. */
    STUB_MISSING("SAGA-208"),
    /** A stub has no step. */
    STUB_WITHOUT_STEP("SAGA-209"),
    /** The key belongs to another saga. */
    KEY_CONFLICT("SAGA-210"),
    /** The waiting thread was interrupted. */
    INTERRUPTED("SAGA-211"),
    /** An action came after its undo. */
    CALL_TOO_LATE("SAGA-212"),
    /** The key of an action is refused. */
    INVALID_ACTION_KEY("SAGA-213"),
    // 3xx: what a step's attempt came to
    /** A step was rejected. */
    STEP_REJECTED("SAGA-301"),
    /** A step took too long. */
    STEP_TIMED_OUT("SAGA-302"),
    /** A step returned null. */
    RESULT_MISSING("SAGA-303"),
    /** The deadline has passed. */
    DEADLINE_PASSED("SAGA-304"),
    /** A saga was taken over too often. */
    TAKEN_OVER_TOO_OFTEN("SAGA-305"),
    /** The lease was lost. */
    LEASE_LOST("SAGA-306"),
    /** What was read has changed. */
    READ_CHANGED("SAGA-307"),
    /** What was read cannot be read under a lock. */
    READ_NOT_LOCKABLE("SAGA-308"),
    // 4xx: rows
    /** A row is held by another saga. */
    ROW_BUSY("SAGA-401"),
    /** A row is not there. */
    ROW_MISSING("SAGA-402"),
    /** A row has another status. */
    ROW_WRONG_STATUS("SAGA-403"),
    /** A row did not take the mark. */
    ROW_MARK_REFUSED("SAGA-404"),
    /** A lock was lost. */
    LOCK_LOST("SAGA-405"),
    /** A row id does not fit. */
    ROW_ID_INVALID("SAGA-406"),
    /** An amount or a value is refused. */
    VALUE_INVALID("SAGA-407"),
    /** A counter would pass its limit. */
    COUNTER_LIMIT("SAGA-408"),
    /** A row has changed since it was read. */
    EDIT_CONFLICT("SAGA-409"),
    /** There is not enough left. */
    NOT_AVAILABLE("SAGA-410"),
    /** A reservation is not there any more. */
    RESERVATION_LOST("SAGA-411"),
    /** The database does not take a value. */
    VALUE_REFUSED("SAGA-412"),
    // 5xx: payloads
    /** A payload cannot be stored. */
    PAYLOAD_NOT_STORABLE("SAGA-501"),
    /** A payload is too large. */
    PAYLOAD_TOO_LARGE("SAGA-502"),
    /** A payload cannot be read. */
    PAYLOAD_UNREADABLE("SAGA-503"),
    // 6xx: the database
    /** The database cannot be asked. */
    STORE_UNAVAILABLE("SAGA-601"),
    /** The answer of the database was lost. */
    OUTCOME_UNKNOWN("SAGA-602");

    private final String code;

    SagaError(String code) {
        this.code = code;
    }

    /**
     * The code as it stands in messages and in {@code docs/errors.md}.
     *
     * @return {@code SAGA-nnn}
     */
    public String code() {
        return code;
    }
}
