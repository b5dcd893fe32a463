package io.holdfast.saga.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;

/** B127, B66, B111: what is kept of an error says what happened, and not with whose card. */
@PostgresTest(PostgresTest.Scope.PER_CLASS)
class ErrorTextTest {
    private static final String SECRET = "4111-1111";

    private final SQLException duplicate;

    ErrorTextTest(TestDatabase database) throws SQLException {
        DataSource plain = database.dataSource();
        Sql.execute(plain, "DROP TABLE IF EXISTS card; CREATE TABLE card (number text PRIMARY KEY)");
        Sql.execute(plain, "INSERT INTO card VALUES (?)", SECRET);
        duplicate = duplicate(plain);
        assertThat(duplicate.getMessage()).as("what the driver says").contains(SECRET);
    }

    private static SQLException duplicate(DataSource plain) throws SQLException {
        try (Connection connection = plain.getConnection();
                Statement statement = connection.createStatement()) {
            return (SQLException) catchThrowable(() -> statement.execute("INSERT INTO card VALUES ('" + SECRET + "')"));
        }
    }

    @Test
    void class_code_and_message_are_kept_and_detail_is_not() {
        assertThat(ErrorText.of(duplicate))
                .contains("PSQLException", "[23505]", "card_pkey")
                .doesNotContain(SECRET);
    }

    @Test
    void a_wrapper_that_repeats_what_it_wraps_is_cleaned() {
        Throwable wrapped = new IllegalStateException("step failed", new RuntimeException(duplicate));
        assertThat(ErrorText.of(wrapped))
                .contains("IllegalStateException: step failed", "RuntimeException", "[23505]")
                .doesNotContain(SECRET);
    }

    @Test
    void an_error_of_jooq_does_not_bring_its_statement() {
        Throwable wrapped = new DataAccessException("SQL [insert '" + SECRET + "']; " + duplicate, duplicate);
        assertThat(ErrorText.of(wrapped))
                .contains("DataAccessException", "[23505]")
                .doesNotContain(SECRET);
    }

    @Test
    void a_batch_does_not_bring_its_statement() {
        SQLException batch =
                new java.sql.BatchUpdateException("Batch entry 0 insert '" + SECRET + "' was aborted", new int[0]);
        batch.setNextException(duplicate);
        assertThat(ErrorText.of(batch)).contains("[23505]").doesNotContain(SECRET);
    }

    @Test
    void an_error_that_cannot_be_read_is_named() {
        assertThat(ErrorText.of(new Hostile())).contains("Hostile");
        assertThat(ErrorText.of(new RuntimeException("wrapper", new Hostile())))
                .contains("RuntimeException", "Hostile");
    }

    @Test
    void a_chain_of_causes_that_bites_its_tail_ends() {
        IllegalStateException head = new IllegalStateException("head");
        head.initCause(new IllegalArgumentException("tail", head));
        assertThat(ErrorText.of(head)).contains("head", "tail").hasSizeLessThan(300);
    }

    @Test
    void errors_without_a_message_are_their_class() {
        assertThat(ErrorText.of(new StackOverflowError())).isEqualTo("java.lang.StackOverflowError");
    }

    /** Throws whatever it is asked. */
    private static final class Hostile extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no");
        }

        @Override
        public synchronized Throwable getCause() {
            throw new StackOverflowError();
        }

        @Override
        public String toString() {
            throw new IllegalStateException("no");
        }
    }
}
