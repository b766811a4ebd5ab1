package io.outboxcdc.router;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;

import java.util.Set;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** Kafka's own check of topic names as the oracle. */
class TopicPropertyTest {

    @Property
    void aNameIsLegalExactlyWhenKafkaTakesIt(@ForAll("names") String name) {
        assertThat(TopicName.isLegal(name)).isEqualTo(kafkaTakes(name));
    }

    @Property
    void anEventIsOnlyEverRoutedToATopicThatKafkaTakes(
            @ForAll("names") String type, @ForAll("replacements") String replacement) {
        Topics topics = new Topics(Pattern.compile("(?<type>.*)"), replacement, Set.of(), "dead");

        Topics.Route route = topics.of(type);

        if (route instanceof Topics.To to) {
            assertThat(kafkaTakes(to.topic())).isTrue();
            assertThat(to.topic()).isNotEqualTo("dead").isEqualTo(replacement.replace("${type}", type));
        }
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(6),
                Arbitraries.strings().withChars("azAZ09._-").ofMinLength(0).ofMaxLength(255),
                Arbitraries.strings().withChars("aZ.. /ü\n\u0000").ofMaxLength(4),
                Arbitraries.of("dead", ".", "..", "...", ""));
    }

    @Provide
    Arbitrary<String> replacements() {
        return Arbitraries.of("${type}", "outbox.event.${type}", "${type}.x");
    }

    private static boolean kafkaTakes(String name) {
        try {
            Topic.validate(name);
            return true;
        } catch (InvalidTopicException e) {
            return false;
        }
    }
}
