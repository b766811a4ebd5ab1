package io.outboxcdc.it.inbox;

import io.outboxcdc.client.inbox.InboxConsumer;
import io.outboxcdc.it.DocumentedSql;
import io.outboxcdc.it.samples.BillingConsumer;
import io.outboxcdc.it.samples.MailListener;
import io.outboxcdc.it.samples.SpringJdbc;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import java.time.Duration;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** The consumers and the statements of the how-to and of the page on natural idempotence. */
class InboxSamplesIT {

    @Test
    void theyWorkAsShown() throws Exception {
        try (InboxStack stack = InboxStack.start()) {
            stack.execute("CREATE TABLE invoice (order_number text, event_id text)");
            stack.execute("CREATE TABLE mail_to_send (order_number text CHECK (order_number <> 'bad'))");
            loop(stack);
            listener(stack);
            statements(stack);
        }
    }

    private static void loop(InboxStack stack) throws Exception {
        stack.createTopic("orders", 1);
        stack.send("orders", "42", "e1", "{}");
        stack.send("orders", "42", "e1", "{}");
        stack.send("orders", "43", "e2", "{}");
        stack.flush();
        try (InboxConsumer consumer = BillingConsumer.build(stack.pool(), stack.bootstrapServers(), "orders")) {
            new Thread(consumer, "billing").start();
            await().atMost(Duration.ofSeconds(40))
                    .until(() -> consumer.counts().repeats() == 1
                            && consumer.counts().handled() == 2);
        }
        assertThat(stack.query("SELECT order_number || ' ' || event_id FROM invoice ORDER BY 1"))
                .containsExactly("42 e1", "43 e2");
    }

    private static void listener(InboxStack stack) throws Exception {
        try (AnnotationConfigApplicationContext context = SpringJdbc.with(stack.pool(), MailListener.class)) {
            MailListener listener = context.getBean(MailListener.class);
            listener.on("e1", "42");
            listener.on("e1", "42");
            assertThatThrownBy(() -> listener.on("e2", "bad")).isInstanceOf(RuntimeException.class);
            listener.on("e2", "43");
        }
        assertThat(stack.query("SELECT order_number FROM mail_to_send ORDER BY 1"))
                .containsExactly("42", "43");
    }

    private static void statements(InboxStack stack) throws Exception {
        List<String> upserts = DocumentedSql.of("concepts/natural-idempotence.md");
        stack.execute(upserts.get(0));
        for (int time = 0; time < 2; time++) {
            stack.execute(upserts.get(1));
        }
        assertThat(stack.query("SELECT order_number || ' ' || status || ' ' || version FROM order_view"))
                .containsExactly("42 PAID 7");
        stack.execute(upserts.get(1).replace("'PAID', 7", "'PLACED', 6"));
        assertThat(stack.query("SELECT status FROM order_view")).containsExactly("PAID");
        for (String statement : DocumentedSql.of("how-to/use-the-inbox.md")) {
            stack.execute(statement);
        }
    }
}
