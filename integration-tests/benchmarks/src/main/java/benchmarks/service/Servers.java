package benchmarks.service;

import benchmarks.http.Server;
import benchmarks.http.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One server of each program. */
final class Servers implements AutoCloseable {

    private final List<Server> servers = new ArrayList<>();

    /** Returns when all of them listen. */
    Servers() throws IOException, InterruptedException {
        try {
            for (Program program : Program.values()) {
                servers.add(Server.start(program.command(List.of())));
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** In the order of the programs. */
    List<Target> targets() {
        return servers.stream().map(Server::target).toList();
    }

    @Override
    public void close() throws IOException {
        for (Server server : servers) {
            server.close();
        }
    }
}
