package io.outboxcdc.cli;

import picocli.CommandLine.IVersionProvider;

import java.util.Optional;

/** The version in the jar's manifest. */
final class BuildVersion implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Optional.ofNullable(BuildVersion.class.getPackage().getImplementationVersion())
                .orElse("(run from class files)");
        return new String[] {"outboxctl " + version};
    }
}
