package io.outboxcdc.cli.demo;

import org.junit.jupiter.api.RepeatedTest;

import static org.assertj.core.api.Assertions.assertThat;

class TraceContextTest {

    @RepeatedTest(50)
    void aTraceparentIsValid() {
        assertThat(TraceContext.newTraceparent())
                .matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01")
                .doesNotContain("-0000000000000000-");
    }
}
