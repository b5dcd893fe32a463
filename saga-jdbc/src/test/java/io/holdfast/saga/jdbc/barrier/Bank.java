package io.holdfast.saga.jdbc.barrier;

import io.holdfast.saga.Direction;
import io.holdfast.saga.jdbc.testing.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** A participant in another service: an account of 100 from which an action takes 30 and to which its undo gives 30 back. */
final class Bank {
    /** What it answers. */
    record Booking(String number, long balance) {}

    static final String SCHEMA = "bank";
    static final Barrier BARRIER = Barrier.in(SCHEMA);

    private final DataSource dataSource;

    private Bank(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    static Bank open(DataSource dataSource) {
        Barrier.migrate(dataSource, SCHEMA);
        Sql.execute(dataSource, "CREATE TABLE bank.account (id bigint PRIMARY KEY, balance bigint NOT NULL)");
        Sql.execute(dataSource, "INSERT INTO bank.account VALUES (1, 100)");
        return new Bank(dataSource);
    }

    /** The same bank on other connections. */
    Bank through(DataSource others) {
        return new Bank(others);
    }

    /** In a transaction of its own, as a service answers a call. */
    Passage<Booking> call(BarrierCall call) {
        return DSL.using(dataSource, SQLDialect.POSTGRES)
                .transactionResult(tx -> BARRIER.guard(
                        tx.dsl(),
                        call,
                        Booking.class,
                        dsl -> dsl.connectionResult(connection -> book(connection, call))));
    }

    /** In a transaction that stays open. */
    static Passage<Booking> callIn(Connection transaction, BarrierCall call) {
        return BARRIER.guardJdbc(transaction, call, Booking.class, connection -> book(connection, call));
    }

    static Booking book(Connection connection, BarrierCall call) {
        long amount = call.direction() == Direction.FORWARD ? -30 : 30;
        long balance = Sql.value(
                connection,
                Long.class,
                "UPDATE bank.account SET balance = balance + ? WHERE id = 1 RETURNING balance",
                amount);
        return new Booking(call.direction() + "-" + balance, balance);
    }

    long balance() {
        return Sql.value(dataSource, Long.class, "SELECT balance FROM bank.account");
    }

    /** A connection with a transaction begun. */
    static Connection begin(DataSource dataSource) throws SQLException {
        Connection connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }
}
