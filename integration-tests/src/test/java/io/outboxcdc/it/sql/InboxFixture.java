package io.outboxcdc.it.sql;

import io.outboxcdc.client.inbox.Inbox;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

import java.nio.file.Path;
import java.sql.PreparedStatement;

/** An inbox in a database of its own, a consumer that messages are delivered to, and the one who keeps the inbox. */
abstract class InboxFixture {
    static final Inbox BILLING = Inbox.of("billing");

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    TestDatabase database;

    PGSimpleDataSource consumer;

    PGSimpleDataSource owner;

    @SuppressWarnings("NullAway.Init") // before each test
    InboxFixture(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void applyScript(@TempDir Path folder) throws Exception {
        database = databases.create(version);
        // Alone: the consumer's database has no outbox.
        database.apply(ScriptFolder.only(folder, "70_inbox.sql"));
        database.run(
                "CREATE ROLE worker LOGIN",
                "GRANT inbox_consumer TO worker",
                "CREATE ROLE keeper LOGIN",
                "GRANT inbox_owner TO keeper",
                "CREATE TABLE effect (consumer text, message_id text)",
                "GRANT INSERT ON effect TO worker");
        consumer = dataSource("worker");
        owner = dataSource("keeper");
    }

    private PGSimpleDataSource dataSource(String user) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(database.url(user));
        return dataSource;
    }

    static Inbox.Effect effect(Inbox inbox, String messageId) {
        return connection -> {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect VALUES (?, ?)")) {
                insert.setString(1, inbox.consumer());
                insert.setString(2, messageId);
                insert.executeUpdate();
            }
        };
    }

    boolean deliver(Inbox inbox, String messageId) throws Exception {
        return inbox.handleOnce(consumer, messageId, effect(inbox, messageId));
    }
}
