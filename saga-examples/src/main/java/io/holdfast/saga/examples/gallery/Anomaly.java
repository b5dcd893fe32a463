package io.holdfast.saga.examples.gallery;

/** Something that goes wrong between sagas, or between a saga and others: played with the obvious statements, and with the tool for it. */
public interface Anomaly {
    /** {@return its name in the literature} */
    String title();

    /** {@return what prevents it} */
    String tool();

    /**
     * Makes it happen, in the same order of events every time.
     *
     * @param stage an empty database
     * @return what was observed
     * @throws Exception when something else went wrong
     */
    Outcome naive(Stage stage) throws Exception;

    /**
     * The same events, with the tool.
     *
     * @param stage an empty database
     * @return what was observed
     * @throws Exception when something else went wrong
     */
    Outcome guarded(Stage stage) throws Exception;
}
