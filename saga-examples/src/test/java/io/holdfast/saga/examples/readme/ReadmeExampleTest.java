package io.holdfast.saga.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.SagaOutcome;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.examples.payment.Books.Kind;
import io.holdfast.saga.examples.payment.HttpPaymentGateway;
import io.holdfast.saga.examples.payment.PaymentServer;
import io.holdfast.saga.examples.readme.ReadmeExample.PlaceOrder;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The README's example is this package's, to the letter, and it works. */
@PostgresTest
class ReadmeExampleTest {
    private static final Path README = Path.of("..", "README.md");
    private static final Path SOURCE = Path.of("src/test/java/io/holdfast/saga/examples/readme/ReadmeExample.java");

    @Test
    void the_readme_shows_what_is_compiled_here() throws IOException {
        var shown = between(Files.readString(README), "<!-- example -->\n```java\n", "```");
        var compiled = between(Files.readString(SOURCE), "// README begins\n", "// README ends");
        assertThat(shown).isEqualTo(compiled.stripIndent());
    }

    @Test
    void it_places_an_order(TestDatabase database) throws IOException {
        try (var provider = PaymentServer.start()) {
            assertThat(place(database, provider).state()).isEqualTo(SagaState.COMPLETED);
            assertThat(status(database)).isEqualTo("CONFIRMED");
        }
    }

    @Test
    void it_undoes_an_order_whose_card_is_declined(TestDatabase database) throws IOException {
        try (var provider = PaymentServer.start()) {
            provider.faults().decline(Kind.AUTHORIZE, 7);
            assertThat(place(database, provider).state()).isEqualTo(SagaState.COMPENSATED);
            assertThat(status(database)).isEqualTo("NEW");
        }
    }

    private static SagaOutcome place(TestDatabase database, PaymentServer provider) {
        DataSource pool = database.pool(5);
        Schema.migrate(pool, Schema.DEFAULT_NAME);
        Sql.execute(pool, """
                create table orders (id bigint primary key, status text not null, saga_id uuid, locked_until timestamptz);
                insert into orders (id, status) values (42, 'NEW');
                """);
        var gateway = new HttpPaymentGateway(provider.uri(), Duration.ofSeconds(5));
        return ReadmeExample.place(new PlaceOrder(42, 7, new BigDecimal("9.90")), pool, gateway)
                .orElseThrow();
    }

    private static String status(TestDatabase database) {
        return Sql.value(database.dataSource(), String.class, "select status from orders where id = 42");
    }

    private static String between(String text, String begin, String end) {
        int from = text.indexOf(begin);
        assertThat(from).as("\"%s\" is missing", begin).isNotNegative();
        return text.substring(from + begin.length(), text.indexOf(end, from + begin.length()));
    }
}
