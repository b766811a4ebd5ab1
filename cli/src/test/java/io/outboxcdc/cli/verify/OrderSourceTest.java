package io.outboxcdc.cli.verify;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What would break: an order that is judged by something else than what was asked for. */
class OrderSourceTest {

    @ParameterizedTest
    @ValueSource(strings = {"none", "commit-time", "seq", "payload:/version", "payload:/a~1b/c~0d/0", "headers:/"})
    void whatIsReadIsWrittenAgain(String text) {
        assertThat(OrderSource.parse(text).text()).isEqualTo(text);
    }

    @Test
    void aJsonPointerIsUnescaped() {
        assertThat(OrderSource.parse("payload:/a~1b/c~0d"))
                .isEqualTo(new OrderSource.Member("payload", List.of("a/b", "c~d")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ":/version", "payload:", "payload:version"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> OrderSource.parse(text)).hasMessageContaining("payload:/version");
    }
}
