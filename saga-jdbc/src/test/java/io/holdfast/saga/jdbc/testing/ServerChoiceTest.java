package io.holdfast.saga.jdbc.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

@PostgresTest
class ServerChoiceTest {

    @Test
    void a_url_names_a_server_that_is_there(TestDatabase database) {
        var server = ServerChoice.start(database.url());

        assertThat(server.kind()).isEqualTo("given");
        assertThat(server.maintenance().database()).isEqualTo(database.name());
        assertThatThrownBy(server::log).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void what_is_none_of_the_choices_is_refused_with_all_of_them() {
        assertThatThrownBy(() -> ServerChoice.start("docker"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("holdfast.test.database is auto, testcontainers, embedded or a JDBC URL, not 'docker'");
    }
}
