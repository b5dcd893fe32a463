package io.holdfast.saga.examples.gallery;

import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** All anomalies, played and told as a table. */
public final class Gallery {
    private static final String LINE = "%-20s | %-34s | %s%n";

    private final PrintStream out;
    private final Supplier<DataSource> databases;

    /**
     * A gallery that has not opened.
     *
     * @param out where the table is printed
     * @param databases an empty database each time
     */
    public Gallery(PrintStream out, Supplier<DataSource> databases) {
        this.out = out;
        this.databases = databases;
    }

    /** {@return what there is to see} */
    public static List<Anomaly> anomalies() {
        return List.of(
                new LostUpdate(),
                new DirtyRead(),
                new NonRepeatableRead(),
                new Oversell(),
                new VisibleCompensation(),
                new ZombieWrite(),
                new EmptyCompensation(),
                new Hanging());
    }

    /**
     * Plays all of it.
     *
     * @return whether each anomaly happened without its tool, and none with it
     * @throws Exception when something else went wrong
     */
    public boolean show() throws Exception {
        boolean asExpected = true;
        out.printf(LINE, "anomaly", "with", "outcome");
        out.println("-".repeat(110));
        for (Anomaly anomaly : anomalies()) {
            Outcome naive = played(anomaly::naive);
            print(anomaly.title(), "the obvious statements", naive);
            Outcome guarded = played(anomaly::guarded);
            print("", anomaly.tool(), guarded);
            asExpected &= naive.harmed() && !guarded.harmed();
        }
        return asExpected;
    }

    /** One of an anomaly's two performances. */
    private interface Performance {
        Outcome on(Stage stage) throws Exception;
    }

    private Outcome played(Performance performance) throws Exception {
        try (Stage stage = new Stage(databases.get())) {
            return performance.on(stage);
        }
    }

    private void print(String title, String with, Outcome outcome) {
        out.printf(LINE, title, with, (outcome.harmed() ? "HARM  " : "ok    ") + outcome.what());
        out.flush();
    }
}
