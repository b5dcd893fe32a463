package io.holdfast.saga.jdbc.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

@PostgresTest
class SqlTest {

    private final PGSimpleDataSource dataSource;

    SqlTest(TestDatabase database) {
        this.dataSource = database.dataSource();
    }

    @BeforeEach
    void orders() {
        Fixtures.install(dataSource, Fixtures.ORDERS);
    }

    @Test
    void execute_tells_how_many_rows_it_changed() {
        assertThat(Sql.execute(dataSource, "UPDATE orders SET total = ? WHERE id <= ?", new BigDecimal("7.50"), 3))
                .isEqualTo(3);
        assertThat(Sql.value(dataSource, BigDecimal.class, "SELECT sum(total) FROM orders"))
                .isEqualByComparingTo("192.50");
    }

    @Test
    void value_wants_exactly_one_row() {
        assertThatThrownBy(() -> Sql.value(dataSource, Long.class, "SELECT id FROM orders WHERE id = 99"))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("no row");
        assertThatThrownBy(() -> Sql.value(dataSource, Long.class, "SELECT id FROM orders"))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("more than one row");
        assertThat(Sql.value(dataSource, String.class, "SELECT saga_id FROM orders WHERE id = 1"))
                .isNull();
    }

    @Test
    void rows_have_their_columns_by_name() {
        assertThat(Sql.rows(dataSource, "SELECT id, status FROM orders WHERE id <= 2 ORDER BY id"))
                .containsExactly(Map.of("id", 1L, "status", "NEW"), Map.of("id", 2L, "status", "NEW"));
    }

    @Test
    void a_failure_carries_its_sqlstate() {
        assertThatThrownBy(() -> Sql.execute(dataSource, "INSERT INTO orders (id) VALUES (1)"))
                .asInstanceOf(type(SqlFailure.class))
                .extracting(SqlFailure::sqlState)
                .isEqualTo("23505");
    }
}
