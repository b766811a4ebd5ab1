package io.outboxcdc.it.samples;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

import javax.sql.DataSource;

/** What the samples for Spring find in an application: a JdbcTemplate, and transactions around annotated methods. */
@Configuration
@EnableTransactionManagement(proxyTargetClass = true)
public class SpringJdbc {

    /** An application with one bean of its own. */
    public static AnnotationConfigApplicationContext with(DataSource dataSource, Class<?> bean) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(DataSource.class, () -> dataSource);
        context.register(SpringJdbc.class, bean);
        context.refresh();
        return context;
    }

    @Bean
    JdbcTemplate jdbc(DataSource dataSource) {
        return new JdbcTemplate(dataSource);
    }

    @Bean
    PlatformTransactionManager transactions(DataSource dataSource) {
        return new JdbcTransactionManager(dataSource);
    }
}
