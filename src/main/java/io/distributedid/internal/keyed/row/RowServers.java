package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.keyed.row.RowCall.Spot;
import io.distributedid.internal.keyed.row.RowCall.Want;
import io.distributedid.internal.keyed.source.KeyedSource;
import io.distributedid.internal.keyed.source.PendingNumber;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.SchemaObject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The servers that hold the rows of keys. {@link KeyHash} decides on which server a key is. Thread-safe. */
public final class RowServers implements KeyedSource {

    /**
     * What connections depend on.
     *
     * @param table in SQL
     * @param createTable whether to create a missing table
     * @param connections to each server
     * @param answerTimeout for connecting and for each answer
     */
    public record Options(String table, boolean createTable, int connections, Duration answerTimeout) {}

    /** One with all its connections. Each of them serves any key. */
    private record Server(RowQueue queue, List<RowLane> lanes) {

        void add(RowCall call) {
            queue.add(call);
            lanes.forEach(RowLane::keepRunning);
        }

        /** Returns the last of the numbers that were taken, or of the key. */
        long call(RowCall call) {
            add(call);
            return call.await();
        }

        PendingNumber begin(RowCall call) {
            add(call);
            return call.pending();
        }
    }

    /** The key of the row whose number all new keys begin above. */
    public static final String FLOOR = RowKey.FLOOR;

    private final List<Server> servers = new ArrayList<>();

    private final RowBeginning beginning;

    private final ComparisonQueue comparing;

    private final RowComparison comparison;

    private final List<String> probes;

    /** Does not connect to any server. */
    public RowServers(List<ConnectionAccess> listed, Options options) {
        if (listed.size() > RowRecord.MOST_SERVERS) {
            throw new IdConfigurationException("There are too many servers: distributedid.keyed.row.servers lists "
                    + listed.size() + ", allowed: up to " + RowRecord.MOST_SERVERS);
        }
        List<List<DedicatedConnection<RowSession>>> connections = new ArrayList<>();
        for (int i = 0; i < listed.size(); i++) {
            ConnectionAccess access = listed.get(i);
            RowSession.Place place = new RowSession.Place(
                    new RowTable(options.table, options.createTable, access.label()), listed.size(), i + 1);
            List<DedicatedConnection<RowSession>> each = new ArrayList<>();
            for (int j = 0; j < options.connections; j++) {
                each.add(new DedicatedConnection<>(
                        new RowSource(access, place, System::nanoTime), options.answerTimeout, Platform.JVM));
            }
            connections.add(each);
        }
        List<DedicatedConnection<RowSession>> firsts =
                connections.stream().map(each -> each.get(0)).toList();
        comparison = new RowComparison(firsts, options.answerTimeout, System::nanoTime);
        Consumer<RowCall> resume = call -> server(call.spot().key()).add(call);
        beginning = new RowBeginning(new RowAgreement(firsts, comparison), resume);
        comparing = new ComparisonQueue(comparison, resume);
        for (List<DedicatedConnection<RowSession>> each : connections) {
            RowQueue queue = new RowQueue();
            servers.add(new Server(
                    queue,
                    each.stream()
                            .map(one -> new RowLane(one, comparison, beginning, comparing, queue))
                            .toList()));
        }
        probes = probes(servers.size());
    }

    /** The table, for schema exports. */
    public static SchemaObject schemaObject(DatabaseProduct product, String table) {
        return new SchemaObject.Table(table, RowDialect.of(product)::ddl);
    }

    /**
     * The number that all new keys begin above, in a database of the sequence; not if they are taken in transactions.
     */
    public static long floor(Connection connection, String table, String sequence) throws SQLException {
        return RowDialect.of(DatabaseProduct.of(connection))
                .read(connection, new RowKey(table, sequence, RowKey.FLOOR))
                .orElse(0);
    }

    @Override
    public long take(String sequence, String key, int count, long began, Duration timeout) {
        return server(key).call(new RowCall(new Spot(sequence, key, Want.NUMBERS), count, began, timeout));
    }

    @Override
    public long current(String sequence, String key, long began, Duration timeout) {
        return server(key).call(new RowCall(new Spot(sequence, key, Want.LAST), 0, began, timeout));
    }

    /** The floor is one for keys that are counted there, and for keys without a row. */
    @Override
    public long bound(String sequence, String key, long began, Duration timeout) {
        return server(key).call(new RowCall(new Spot(sequence, key, Want.BOUND), 0, began, timeout));
    }

    @Override
    public Optional<PendingNumber> begin(String sequence, String key, int count, long began, Duration timeout) {
        RowCall call =
                new RowCall(new Spot(sequence, key, count == 0 ? Want.LAST : Want.NUMBERS), count, began, timeout);
        return Optional.of(server(key).begin(call));
    }

    @Override
    public List<String> probes() {
        return probes;
    }

    private static List<String> probes(int servers) {
        return IntStream.range(0, servers)
                .mapToObj(server -> IntStream.iterate(0, key -> key + 1)
                        .mapToObj(Integer::toString)
                        .filter(key -> KeyHash.server(KeyHash.of(key), servers) == server)
                        .findFirst()
                        .orElseThrow())
                .toList();
    }

    @Override
    public int place(String key) {
        return KeyHash.server(KeyHash.of(key), servers.size());
    }

    private Server server(String key) {
        return servers.get(place(key));
    }

    private void each(Consumer<RowLane> work) {
        servers.forEach(server -> server.lanes.forEach(work));
    }

    @Override
    public void learn(KeyedSource former) {
        comparison.learn(((RowServers) former).comparison);
    }

    /** Refuses calls from now on, and ends all waits but those for current statements. */
    @Override
    public void stop() {
        comparison.stop();
        beginning.stop();
        comparing.stop();
        each(RowLane::stop);
        servers.forEach(server -> server.queue.end());
    }

    /** Aborts the connections of current statements. */
    @Override
    public void cut() {
        each(RowLane::cut);
    }

    /** Aborts all connections, and gives nothing back. */
    @Override
    public void abandon() {
        stop();
        each(RowLane::abandon);
        beginning.close();
        comparing.close();
        servers.forEach(server -> server.queue.drop());
    }

    @Override
    public void close() {
        stop();
        each(RowLane::close);
        beginning.close();
        comparing.close();
        servers.forEach(server -> server.queue.drop());
    }
}
