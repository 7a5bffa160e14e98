package io.distributedid.server;

import io.distributedid.internal.keyed.served.SectionSpread;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.Ports;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Two servers with the sequence messages, of which each owns some of the keys. */
final class KeyOwners implements AutoCloseable {

    private static final int SECTIONS = 16;

    private final String database;

    private final List<RunningServer> servers = new ArrayList<>();

    KeyOwners(String database) {
        this.database = database;
        servers.add(start(Ports.take()));
        servers.add(start(Ports.take()));
        awaitSpread();
    }

    static Map<String, Object> settings(String database, String address) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("server.keyed", "messages");
        settings.put("keyed.backend", "section");
        settings.put("keyed.section.store", "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1");
        settings.put("create_tables", "true");
        settings.put("keyed.section.sections", SECTIONS);
        settings.put("keyed.section.address", address);
        settings.put("block.timeout", "1m");
        return settings;
    }

    private RunningServer start(int port) {
        Map<String, Object> settings = settings(database, "http://127.0.0.1:" + port);
        settings.put("server.port", port);
        return RunningServer.with(settings);
    }

    /** Each server knows that all sections are where they are to be. */
    void awaitSpread() {
        Set<String> members = servers.stream().map(each -> each.server().url()).collect(Collectors.toSet());
        List<String> expected = IntStream.range(0, SECTIONS)
                .mapToObj(section -> SectionSpread.owner(section, members))
                .toList();
        Await.until(
                "the sections are spread",
                () -> servers.stream().allMatch(each -> owners(each).equals(expected)),
                () -> servers.stream().map(KeyOwners::owners).toList());
    }

    private static List<String> owners(RunningServer server) {
        JsonObject table = new JsonObject(server.get("/v1/keyed/messages/table").body());
        return table.getJsonArray("sections", new JsonArray()).stream()
                .map(place ->
                        (int) place < 0 ? "" : table.getJsonArray("servers").getString((int) place))
                .toList();
    }

    RunningServer at(int place) {
        return servers.get(place);
    }

    String urls() {
        return servers.stream().map(each -> each.server().url()).collect(Collectors.joining(", "));
    }

    /** A key that a server does not have. */
    String keyOfOthers(int place) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "key" + i)
                .filter(key -> {
                    HttpResponse<String> answer = at(place).get("/v1/keyed/messages/numbers?key=" + key);
                    return answer.statusCode() == 307;
                })
                .findFirst()
                .orElseThrow();
    }

    /** Stops a server, and starts another in its place. */
    void restart(int place) {
        RunningServer stopped = at(place);
        stopped.close();
        servers.set(place, start(stopped.port()));
    }

    @Override
    public void close() {
        servers.forEach(RunningServer::close);
        try {
            H2Servers.drop(database);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
