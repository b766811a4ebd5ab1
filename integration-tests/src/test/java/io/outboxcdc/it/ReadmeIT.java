package io.outboxcdc.it;

import io.outboxcdc.stack.GivenDatabaseConsent;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.StartupProgress;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** What would break: a README that shows something that does not happen. */
class ReadmeIT {

    private static final Path README = TestHome.path().resolve("README.md");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");

    @Test
    void theEventOfTheReadmeBecomesTheRecordOfTheReadme() throws Exception {
        String shown = block("topic    outbox.event");

        try (OutboxPipeline pipeline =
                        OutboxPipeline.start(TestHome.options(), GivenDatabaseConsent.NONE, StartupProgress.SILENT);
                Connection connection = pipeline.stack().postgres().connect();
                Statement statement = connection.createStatement();
                Topics topics = new Topics(pipeline.stack())) {
            statement.execute(block("INSERT INTO outbox"));
            UUID id = UUID.fromString("8d6f8c1e-3f0a-4c9b-9a51-0c6d2a7e4b10");
            ConsumerRecord<byte[], byte[]> record = topics.await("outbox.event.invoice", id, Duration.ofSeconds(30));

            assertThat(asTheReadmeShows(record)).isEqualTo(shown);

            String put = run(
                    block("curl -sS -X PUT"), "CONNECT_URL=" + pipeline.stack().connectUrl());
            assertThat(put).contains("\"name\":\"outbox\"");
        }
    }

    @Test
    void theArchiveOfTheReadmeUnpacksIntoAPluginPath(@TempDir Path pluginPath) throws Exception {
        String unpack = block("mvn -Dquick -DskipTests package")
                .lines()
                .filter(line -> line.startsWith("tar "))
                .collect(Collectors.joining("\n"));

        run(unpack, "PLUGIN_PATH=" + pluginPath);

        assertThat(files(pluginPath.resolve("debezium-connector-postgres")))
                .contains("smt-outbox-router-" + TestHome.projectVersion() + ".jar")
                .isEqualTo(files(
                        TestHome.path().resolve("local-stack/target/runtime/plugins/debezium-connector-postgres")));
    }

    @Test
    void everyLinkOfEveryPageLeadsSomewhere() throws IOException {
        List<Path> pages;
        try (Stream<Path> docs = Files.walk(TestHome.path().resolve("docs"))) {
            pages = Stream.concat(
                            docs.filter(file -> file.toString().endsWith(".md")),
                            Stream.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "sql/README.md")
                                    .map(TestHome.path()::resolve))
                    .toList();
        }

        assertThat(pages.stream().flatMap(ReadmeIT::deadLinks)).isEmpty();
    }

    private static Stream<String> deadLinks(Path page) {
        return LINK.matcher(read(page))
                .results()
                .map(MatchResult::group)
                .map(link -> link.replaceAll("^\\]\\(|(#[^)]*)?\\)$", ""))
                .filter(target -> !Files.exists(page.resolveSibling(target)))
                .map(target -> page + " -> " + target);
    }

    private static String asTheReadmeShows(ConsumerRecord<byte[], byte[]> record) {
        return "topic    " + record.topic() + "\nkey      " + new String(record.key(), UTF_8) + "\nheaders  "
                + String.join("\n         ", Topics.headers(record)) + "\nvalue    "
                + new String(record.value(), UTF_8);
    }

    /** The text between code fences that begins with the given words. */
    private static String block(String begin) {
        return Pattern.compile("(?m)^ *```\\w*\\n(.*?)^ *```", Pattern.DOTALL)
                .matcher(read(README))
                .results()
                .map(found -> found.group(1).stripTrailing().stripIndent())
                .filter(text -> text.startsWith(begin))
                .collect(Collectors.collectingAndThen(Collectors.toList(), found -> {
                    assertThat(found)
                            .as("blocks of README.md that begin with: " + begin)
                            .hasSize(1);
                    return found.get(0);
                }));
    }

    private static String run(String script, String variable) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-euc", script)
                .directory(TestHome.path().toFile())
                .redirectErrorStream(true);
        String[] assignment = variable.split("=", 2);
        builder.environment().put(assignment[0], assignment[1]);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
