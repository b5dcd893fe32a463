package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.internal.LocalLimits;
import io.holdfast.saga.jdbc.internal.PostgresSagaStore;
import io.holdfast.saga.jdbc.internal.SagaTables;
import io.holdfast.saga.jdbc.testing.Effects;
import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import io.holdfast.saga.spi.SagaStore;
import io.holdfast.saga.spi.StoredEntry;
import io.holdfast.saga.spi.StoredSaga;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** A database with saga tables and business tables, a participant elsewhere, and the nodes that work on them. Threadsafe. */
final class World implements AutoCloseable {
    static final String SCHEMA = "saga";

    private final TestDatabase database;
    private final Effects effects;
    private final Participant participant;
    private final Gates gates;
    private final SagaStore store;
    private final Acts acts;
    private final List<AutoCloseable> nodes = new CopyOnWriteArrayList<>();

    private World(TestDatabase database, Effects effects, Gates gates) {
        this.database = database;
        this.effects = effects;
        this.gates = gates;
        this.participant = new Participant(database.dataSource());
        this.store = new PostgresSagaStore(
                database.dataSource(), null, SagaTables.in(SCHEMA), (dsl, holdings, until) -> {}, LocalLimits.DEFAULT);
        this.acts = new Acts(this, "here");
    }

    /** A new one. */
    static World create() {
        TestDatabase database = TestDatabase.create();
        Schema.migrate(database.dataSource(), SCHEMA);
        Fixtures.install(database.dataSource(), Fixtures.ORDERS, Fixtures.STOCK, Participant.TABLE);
        return new World(database, Effects.install(database), new Gates());
    }

    /** The one of another JVM. */
    static World attach(String url, Gates gates) {
        TestDatabase database = TestDatabase.attach(url);
        return new World(database, Effects.in(database), gates);
    }

    TestDatabase database() {
        return database;
    }

    Effects effects() {
        return effects;
    }

    Participant participant() {
        return participant;
    }

    Gates gates() {
        return gates;
    }

    /** The steps of this JVM's nodes. */
    Acts acts() {
        return acts;
    }

    /** Steps of a node whose doings are to be told from those of others. */
    Acts acts(String worker) {
        return new Acts(this, worker);
    }

    NodeBuilder node(String name) {
        return new NodeBuilder(this, name);
    }

    /** To be closed with this. */
    <T extends AutoCloseable> T opened(T node) {
        nodes.add(0, node);
        return node;
    }

    /** For looking, and for tests that play a node themselves. */
    SagaStore store() {
        return store;
    }

    StoredSaga saga(UUID sagaId) {
        return store.load(sagaId).orElseThrow(() -> new AssertionError("no saga " + sagaId));
    }

    List<StoredEntry> journal(UUID sagaId) {
        return store.journal(sagaId);
    }

    /** The kinds of a saga's entries, each with its step where it has one. */
    List<String> story(UUID sagaId) {
        return journal(sagaId).stream()
                .map(entry ->
                        entry.kind() + entry.step().map(step -> " " + step).orElse(""))
                .toList();
    }

    long count(UUID sagaId, Kind kind) {
        return journal(sagaId).stream().filter(entry -> entry.kind() == kind).count();
    }

    /** The only entry of a kind. */
    StoredEntry entry(UUID sagaId, Kind kind) {
        List<StoredEntry> found =
                journal(sagaId).stream().filter(entry -> entry.kind() == kind).toList();
        assertThat(found).as("%s entries of %s", kind, story(sagaId)).hasSize(1);
        return found.get(0);
    }

    /** As if a node had been silent for the length of its lease, or a pause were over. */
    void expireLease(UUID sagaId) {
        int rows = execute(
                "UPDATE {saga} SET due_at = clock_timestamp() - interval '1 millisecond' WHERE saga_id = ? AND due_at"
                        + " IS NOT NULL",
                sagaId);
        assertThat(rows).as("sagas whose lease is ended").isEqualTo(1);
    }

    /** Runs a statement in which {@code {saga}} and {@code {log}} stand for the saga tables. */
    int execute(String sql, Object... parameters) {
        return Sql.execute(database.dataSource(), sql(sql), parameters);
    }

    <T> T value(Class<T> type, String sql, Object... parameters) {
        return Sql.value(database.dataSource(), type, sql(sql), parameters);
    }

    List<Map<String, Object>> rows(String sql, Object... parameters) {
        return Sql.rows(database.dataSource(), sql(sql), parameters);
    }

    private static String sql(String text) {
        return text.replace("{saga}", SCHEMA + ".saga").replace("{log}", SCHEMA + ".saga_log");
    }

    /** What is left of stock {@code a}, of which there were ten. */
    int stock() {
        return value(Integer.class, "SELECT qty FROM stock WHERE sku = 'a'");
    }

    void waitUntil(String what, BooleanSupplier so) {
        await().alias(what)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(30))
                .until(so::getAsBoolean);
    }

    /** Ends all nodes; the database stays, to be looked at. */
    void stop() {
        gates.openAll();
        nodes.forEach(World::closeQuietly);
        nodes.clear();
    }

    private static void closeQuietly(AutoCloseable node) {
        try {
            node.close();
        } catch (Exception e) {
            throw new AssertionError("a node did not close", e);
        }
    }

    @Override
    public void close() {
        stop();
        effects.close();
        database.close();
    }
}
