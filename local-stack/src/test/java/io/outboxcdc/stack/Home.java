package io.outboxcdc.stack;

import java.nio.file.Path;

/** The project's root folder. Tests run in the folder of their module. */
final class Home {

    static final Path FOLDER = Path.of("..").toAbsolutePath().normalize();

    private Home() {}
}
