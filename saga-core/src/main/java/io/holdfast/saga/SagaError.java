package io.holdfast.saga;

/**
 * The codes of everything the library refuses or reports. A code is kept for ever and has a section of its own in
 * {@code docs/errors.md}: what it means, what the library does next, how to fix it, common mistakes.
 */
public enum SagaError {
    // 1xx: a definition, a type, a step or a setting that is refused where it is given
    INVALID_NAME("SAGA-101"),
    INVALID_VERSION("SAGA-102"),
    INVALID_PAYLOAD_CLASS("SAGA-103"),
    INVALID_DURATION("SAGA-104"),
    INVALID_LIMIT("SAGA-105"),
    NULL_ARGUMENT("SAGA-106"),
    DUPLICATE_STEP("SAGA-110"),
    EMPTY_DEFINITION("SAGA-111"),
    FOREIGN_STEP("SAGA-112"),
    CLAIM_WITHOUT_RELEASE("SAGA-113"),
    RELEASE_WITHOUT_CLAIM("SAGA-114"),
    CONDITION_ON_HALF_A_LOCK("SAGA-115"),
    DEADLINE_TOO_SHORT("SAGA-116"),
    TAKE_OVER_NEEDS_LOCAL_PIVOT("SAGA-117"),
    DUPLICATE_DEFINITION("SAGA-118"),
    CONDITION_ON_PIVOT("SAGA-119"),
    INVALID_BUSINESS_TABLE("SAGA-120"),
    INVALID_SETTING("SAGA-121"),
    SCHEMA_MISMATCH("SAGA-122"),
    INVALID_LOCK("SAGA-123"),
    // 2xx: a call that cannot be answered
    INVALID_BUSINESS_KEY("SAGA-201"),
    UNKNOWN_TYPE("SAGA-202"),
    NO_SUCH_RESULT("SAGA-203"),
    CONTEXT_CLOSED("SAGA-204"),
    CLOSED("SAGA-205"),
    TRANSACTION_REFUSED("SAGA-206"),
    RETRY_YOUR_TRANSACTION("SAGA-207"),
    STUB_MISSING("SAGA-208"),
    STUB_WITHOUT_STEP("SAGA-209"),
    KEY_CONFLICT("SAGA-210"),
    INTERRUPTED("SAGA-211"),
    // 3xx: what a step's attempt came to
    STEP_REJECTED("SAGA-301"),
    STEP_TIMED_OUT("SAGA-302"),
    RESULT_MISSING("SAGA-303"),
    DEADLINE_PASSED("SAGA-304"),
    TAKEN_OVER_TOO_OFTEN("SAGA-305"),
    LEASE_LOST("SAGA-306"),
    // 4xx: rows
    ROW_BUSY("SAGA-401"),
    ROW_MISSING("SAGA-402"),
    ROW_WRONG_STATUS("SAGA-403"),
    ROW_MARK_REFUSED("SAGA-404"),
    LOCK_LOST("SAGA-405"),
    ROW_ID_INVALID("SAGA-406"),
    // 5xx: payloads
    PAYLOAD_NOT_STORABLE("SAGA-501"),
    PAYLOAD_TOO_LARGE("SAGA-502"),
    PAYLOAD_UNREADABLE("SAGA-503"),
    // 6xx: the database
    STORE_UNAVAILABLE("SAGA-601"),
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
