package io.outboxcdc.stack.sql;

import io.outboxcdc.stack.sql.SqlScript.Statement;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class SqlScriptTest {
    @Test
    void semicolonsInQuotesAndCommentsEndNoStatement() throws SQLException {
        SqlScript script = new SqlScript("1_x.sql", """
                -- one; two
                SELECT ';', E'\\';', ";" /* ; /* ; */ ; */;
                DO $a$ BEGIN PERFORM $b$;$b$; END $a$;
                """);

        List<Statement> statements = script.statements();

        assertThat(statements)
                .extracting(statement -> statement.text().strip())
                .containsExactly(
                        "-- one; two\nSELECT ';', E'\\';', \";\" /* ; /* ; */ ; */",
                        "DO $a$ BEGIN PERFORM $b$;$b$; END $a$");
    }

    @Test
    void aCommentAtTheEndIsNoStatement() throws SQLException {
        SqlScript script = new SqlScript("1_x.sql", "SELECT 1;\n-- the end\n");

        List<Statement> statements = script.statements();

        assertThat(statements).extracting(Statement::text).containsExactly("SELECT 1");
    }

    @Test
    void theLineIsThatOfTheFirstWordAfterComments() throws SQLException {
        SqlScript script = new SqlScript("1_x.sql", "SELECT 1;\n\n-- why\nSELECT 2;\n");

        List<Statement> statements = script.statements();

        assertThat(script.line(statements.get(1), 0)).isEqualTo(4);
    }

    @Test
    void aPositionOfTheServerIsTurnedIntoALineOfTheScript() throws SQLException {
        SqlScript script = new SqlScript("1_x.sql", "SELECT 1;\nSELECT '\uD83D\uDE00',\n  nothing;\n");
        Statement second = script.statements().get(1);
        int position = second.text().codePointCount(0, second.text().indexOf("nothing")) + 1;

        int line = script.line(second, position);

        assertThat(line).isEqualTo(3);
    }

    @Test
    void settingsAreThoseThatTheScriptReads() {
        SqlScript script = new SqlScript(
                "1_x.sql",
                "SELECT current_setting('outbox.b', true), current_setting('outbox.a'), current_setting('x')");

        assertThat(script.settings()).containsExactly("outbox.a", "outbox.b");
    }
}
