package io.outboxcdc.stack;

import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;

import static org.assertj.core.api.Assertions.assertThat;

class PropertiesFileTest {

    @Test
    void kafkaReadsAPathOfAnyLetters(@TempDir Path folder) throws IOException {
        Path work = folder.resolve("wörk földér 日本");
        Path file = work.resolve("connect.properties");
        Properties written = new Properties();
        written.setProperty("plugin.path", work.toString());

        PropertiesFile.write(file, written);

        assertThat(Utils.loadProps(file.toString())).isEqualTo(written);
        assertThat(PropertiesFile.read(file)).isEqualTo(written);
    }
}
