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
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Some servers, each at a port of its own, where it can be started again. */
final class Servers {

    /** How many there are, unless a test says otherwise. */
    static final int COUNT = 2;

    /**
     * What a server is started with.
     *
     * @param settings by their full names; the port is added
     * @param environment variables of its process
     */
    record Start(Map<String, ?> settings, Map<String, String> environment) {}

    private final Path folder;

    private final List<Integer> ports;

    private final IntFunction<Start> starts;

    private final List<ServerProcess> running = new ArrayList<>();

    private Servers(Path folder, List<Integer> ports, IntFunction<Start> starts) {
        this.folder = folder;
        this.ports = ports;
        this.starts = starts;
    }

    /** Starts two with the same settings at the same time. */
    static Servers start(Path folder, Map<String, ?> settings) throws Exception {
        return start(folder, ports(COUNT), place -> new Start(settings, Map.of()));
    }

    static List<Integer> ports(int count) {
        return Stream.generate(Ports::take).limit(count).toList();
    }

    /** Starts one at each port at the same time, by its place among the ports. */
    static Servers start(Path folder, List<Integer> ports, IntFunction<Start> starts) throws Exception {
        Servers servers = new Servers(folder, ports, starts);
        servers.running.addAll(Together.run(ports.size(), servers::start));
        return servers;
    }

    private ServerProcess start(int place) throws IOException {
        return start(place, ports.get(place));
    }

    /** Starts another one with the settings of a server. */
    ServerProcess start(int place, int port) throws IOException {
        Start start = starts.apply(place);
        Map<String, Object> all = new HashMap<>(start.settings);
        all.put("distributedid.server.port", port);
        return ServerProcess.start(folder, all, start.environment);
    }

    int count() {
        return ports.size();
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
}
