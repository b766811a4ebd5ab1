package io.outboxcdc.it.samples;

import io.outboxcdc.client.inbox.Inbox;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** A consumer loop of another make, here Spring's: the inbox alone, in the transaction of the method. */
public class MailListener {
    private final JdbcTemplate jdbc;
    private final Inbox inbox = Inbox.of("mail");

    public MailListener(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Transactional
    public void on(String eventId, String orderNumber) {
        Boolean first = jdbc.execute((ConnectionCallback<Boolean>) connection -> inbox.claim(connection, eventId));
        if (Boolean.TRUE.equals(first)) {
            jdbc.update("INSERT INTO mail_to_send (order_number) VALUES (?)", orderNumber);
        }
    }
}
