package io.holdfast.saga.jdbc.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class AddressTest {

    @Test
    void a_url_is_read_and_written_without_loss() {
        var address = new Address("db.example", 5433, "shop", "me", "se&cret?=", Map.of("ssl", "false"));

        assertThat(Address.parse(address.url())).isEqualTo(address);
    }

    @Test
    void a_url_without_a_user_is_refused_with_an_example() {
        assertThatThrownBy(() -> Address.parse("jdbc:postgresql://localhost/shop"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("user=me&password=secret");
    }
}
