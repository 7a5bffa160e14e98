package io.distributedid.soak.topology;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs of the machine. */
final class Programs {

    /** Where Debian has servers, which the path of a user need not name. */
    private static final String OF_SERVERS = "/usr/sbin";

    private Programs() {}

    static Optional<Path> find(String name) {
        String path = System.getenv().getOrDefault("PATH", "") + ":" + OF_SERVERS;
        return Stream.of(path.split(":"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
