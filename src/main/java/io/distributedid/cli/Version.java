package io.distributedid.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest. */
public final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {
            "distributedid "
                    + Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                            .orElse("unknown version: not run from its jar")
        };
    }
}
