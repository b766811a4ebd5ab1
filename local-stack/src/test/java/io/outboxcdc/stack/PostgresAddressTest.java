package io.outboxcdc.stack;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PostgresAddressTest {

    @Test
    void readsAllPartsOfAUrl() {
        PostgresAddress address =
                PostgresAddress.parse("jdbc:postgresql://db.example:6543/shop?user=me&password=p%26%20w");

        assertThat(address).isEqualTo(new PostgresAddress("db.example", 6543, "shop", "me", "p& w"));
    }

    @Test
    void fillsInThePort() {
        assertThat(PostgresAddress.parse("jdbc:postgresql://localhost/shop?user=me&password=x")
                        .port())
                .isEqualTo(5432);
    }

    @Test
    void itsUrlReadsBackAsTheSame() {
        PostgresAddress address = new PostgresAddress("localhost", 5432, "a b", "m&e", "%?=/ +ä");

        assertThat(PostgresAddress.parse(address.jdbcUrl())).isEqualTo(address);
    }

    @Test
    void namesEverythingThatIsMissingOrWouldBeLost() {
        assertThatThrownBy(() -> PostgresAddress.parse("jdbc:postgresql://a,b/shop?sslmode=require&password=x"))
                .isInstanceOf(StackException.class)
                .hasMessageContaining("several hosts")
                .hasMessageContaining("user is missing")
                .hasMessageContaining("[sslmode]");
    }

    @Test
    void aPasswordMayBeLeftOut() {
        assertThat(PostgresAddress.parse("jdbc:postgresql://localhost/shop?user=me")
                        .password())
                .isEmpty();
    }

    @Test
    void refusesAnotherDatabasesUrlWithoutRepeatingIt() {
        assertThatThrownBy(() -> PostgresAddress.parse("jdbc:mysql://localhost/shop?user=me&password=secret"))
                .isInstanceOf(StackException.class)
                .hasMessageStartingWith("Not a JDBC URL of PostgreSQL")
                .hasMessageNotContaining("secret");
    }

    @Test
    void refusesAPortThatIsNoNumberWithoutRepeatingThePassword() {
        assertThatThrownBy(() -> PostgresAddress.parse("jdbc:postgresql://localhost:http/shop?user=me&password=secret"))
                .isInstanceOf(StackException.class)
                .hasMessageNotContaining("secret");
    }

    @Test
    void doesNotShowThePassword() {
        assertThat(new PostgresAddress("localhost", 5432, "shop", "me", "secret"))
                .hasToString("localhost:5432/shop as me");
    }
}
