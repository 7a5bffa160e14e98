package io.distributedid.service;

import io.distributedid.testkit.Ports;
import io.distributedid.testkit.ServerProcess;
import io.distributedid.testkit.Together;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Two servers with the same settings, each at a port of its own, where it can be started again. */
final class Servers implements AutoCloseable {

    static final int COUNT = 2;

    private final Path folder;

    private final Map<String, ?> settings;

    private final List<Integer> ports =
            Stream.generate(Ports::take).limit(COUNT).toList();

    private final List<ServerProcess> running = new ArrayList<>();

    private Servers(Path folder, Map<String, ?> settings) {
        this.folder = folder;
        this.settings = settings;
    }

    /** Starts them at the same time. */
    static Servers start(Path folder, Map<String, ?> settings) throws Exception {
        Servers servers = new Servers(folder, settings);
        servers.running.addAll(Together.run(COUNT, servers::start));
        return servers;
    }

    private ServerProcess start(int place) throws IOException {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("distributedid.server.port", ports.get(place));
        return ServerProcess.start(folder, all);
    }

    ServerProcess at(int place) {
        return running.get(place);
    }

    /** Starts a server that has ended, at its port. */
    void restart(int place) throws IOException {
        running.set(place, start(place));
    }

    URI url(int place) {
        return URI.create("http://127.0.0.1:" + ports.get(place));
    }

    /** For {@code remote.servers}. */
    String urls() {
        return ports.stream().map(port -> "http://127.0.0.1:" + port).collect(Collectors.joining(", "));
    }

    @Override
    public void close() {
        running.forEach(ServerProcess::close);
    }
}
