package io.outboxcdc.client.outbox;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OutboxBuilderTest {

    @Test
    void aTableIsAPlainName() {
        Outbox.builder().table("outbox").table("shop.outbox_2");

        assertThatThrownBy(() -> Outbox.builder().table("outbox; DROP TABLE outbox"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Give it as table or schema.table");
    }

    @Test
    void aSizeIsPositive() {
        assertThatThrownBy(() -> Outbox.builder().maxRecordBytes(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
