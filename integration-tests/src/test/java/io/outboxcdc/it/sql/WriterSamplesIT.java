package io.outboxcdc.it.sql;

import io.outboxcdc.it.DocumentedSql;
import io.outboxcdc.it.samples.JdbcOrders;
import io.outboxcdc.it.samples.JooqOrders;
import io.outboxcdc.it.samples.JpaOrders;
import io.outboxcdc.it.samples.Order;
import io.outboxcdc.it.samples.OrderEntity;
import io.outboxcdc.it.samples.SpringJdbc;
import io.outboxcdc.it.samples.SpringOrders;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.jpa.HibernatePersistenceConfiguration;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import java.io.IOException;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Each sample commits the change and its event together, and neither when the change fails. */
class WriterSamplesIT {
    private static final Order ORDER = new Order("42", new BigDecimal("12.50"));

    private static final Order SECOND_OF_THAT_NUMBER = new Order("42", BigDecimal.ONE);

    private static final Order NO_TOPIC = new Order(" ", BigDecimal.TEN);

    @RegisterExtension
    final Databases databases = new Databases();

    private TestDatabase database;

    private PGSimpleDataSource dataSource;

    private interface Sample {
        void place(Order order) throws Exception;
    }

    @SuppressWarnings("NullAway.Init") // before each test
    WriterSamplesIT() {}

    @BeforeEach
    void applyScripts() throws SQLException {
        database = databases.create(PostgresVersion.PG18);
        database.apply();
        database.run(
                "CREATE ROLE shop LOGIN",
                "GRANT outbox_writer TO shop",
                "CREATE TABLE shop_order (number text PRIMARY KEY, total numeric NOT NULL)",
                "GRANT INSERT ON shop_order TO shop");
        dataSource = new PGSimpleDataSource();
        dataSource.setUrl(database.url("shop"));
    }

    @Test
    void plainJdbc() throws Exception {
        assertOneTransaction(new JdbcOrders(dataSource)::place);
    }

    @Test
    void springJdbcTemplateInATransactionalMethod() throws Exception {
        try (AnnotationConfigApplicationContext context = SpringJdbc.with(dataSource, SpringOrders.class)) {
            assertOneTransaction(context.getBean(SpringOrders.class)::place);
        }
    }

    @Test
    void springWithoutATransactionIsRefused() {
        assertThatThrownBy(() -> new SpringOrders(new JdbcTemplate(dataSource)).place(ORDER))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("auto-commit");
    }

    @Test
    void jooq() throws Exception {
        assertOneTransaction(new JooqOrders(DSL.using(dataSource, SQLDialect.POSTGRES))::place);
    }

    @Test
    void jpaWithHibernate() throws Exception {
        try (EntityManagerFactory factory = new HibernatePersistenceConfiguration("shop")
                .managedClass(OrderEntity.class)
                .property("jakarta.persistence.nonJtaDataSource", dataSource)
                .createEntityManagerFactory()) {
            assertOneTransaction(new JpaOrders(factory)::place);
        }
    }

    @Test
    void theStatementsOfTheHowToForOtherLanguages() throws SQLException, IOException {
        List<String> statements = DocumentedSql.of("how-to/write-events-without-the-library.md");
        assertThat(statements).hasSize(3);

        for (String statement : statements) {
            database.runAs("shop", statement);
        }

        assertThat(database.query("SELECT concat_ws(' ', aggregate_type, aggregate_id, event_type, payload, headers)"
                        + " FROM outbox ORDER BY ctid"))
                .containsExactly(
                        "order 42 OrderPlaced {\"total\": 12.50} {\"tenant\": \"acme\","
                                + " \"traceparent\": \"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\"}",
                        "order 43 OrderPlaced {\"total\": 1}",
                        "order 43 OrderPaid {}",
                        "order 44 OrderPlaced {\"total\": 2}");
    }

    private void assertOneTransaction(Sample sample) throws Exception {
        sample.place(ORDER);

        assertThat(database.query("SELECT payload = '{\"number\": \"42\", \"total\": 12.50}' FROM outbox"))
                .containsExactly("t");
        assertThat(database.query("SELECT number FROM shop_order")).containsExactly("42");

        for (Order failing : List.of(SECOND_OF_THAT_NUMBER, NO_TOPIC)) {
            assertThatThrownBy(() -> sample.place(failing)).isInstanceOf(Exception.class);
        }
        assertThat(database.query("SELECT number FROM shop_order")).containsExactly("42");
        assertThat(database.insertsInSlot()).isEqualTo(1);
    }
}
