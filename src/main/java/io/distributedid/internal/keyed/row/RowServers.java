package io.distributedid.internal.keyed.row;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.keyed.row.RowCall.Spot;
import io.distributedid.internal.keyed.source.KeyedSource;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.SchemaObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The servers that hold the rows of keys. {@link KeyHash} decides on which server, and by which of its connections, a
 * key is served. Thread-safe.
 */
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

    /** By server, then by connection. */
    private final List<List<RowLane>> lanes = new ArrayList<>();

    /** Does not connect to any server. */
    public RowServers(List<ConnectionAccess> servers, Options options) {
        if (servers.size() > RowRecord.MOST_SERVERS) {
            throw new IdConfigurationException("There are too many servers: " + DistributedIdSettings.KEYED_ROW_SERVERS
                    + " lists " + servers.size() + ", allowed: up to " + RowRecord.MOST_SERVERS);
        }
        List<List<DedicatedConnection<RowSession>>> connections = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            ConnectionAccess access = servers.get(i);
            RowSession.Place place = new RowSession.Place(
                    new RowTable(options.table, options.createTable, access.label()), servers.size(), i + 1);
            List<DedicatedConnection<RowSession>> each = new ArrayList<>();
            for (int j = 0; j < options.connections; j++) {
                each.add(new DedicatedConnection<>(
                        access, options.answerTimeout, connection -> new RowSession(connection, place)));
            }
            connections.add(each);
        }
        RowAgreement agreement =
                new RowAgreement(connections.stream().map(each -> each.get(0)).toList());
        connections.forEach(each ->
                lanes.add(each.stream().map(one -> new RowLane(one, agreement)).toList()));
    }

    /** The table, for schema exports. */
    public static SchemaObject schemaObject(DatabaseProduct product, String table) {
        return new SchemaObject.Table(table, RowDialect.of(product)::ddl);
    }

    @Override
    public long take(String sequence, String key, int count, long began, Duration timeout) {
        return lane(key).call(new RowCall(new Spot(sequence, key, false), count, began, timeout));
    }

    @Override
    public long current(String sequence, String key, long began, Duration timeout) {
        return lane(key).call(new RowCall(new Spot(sequence, key, true), 0, began, timeout));
    }

    private RowLane lane(String key) {
        long hash = KeyHash.of(key);
        List<RowLane> server = lanes.get(KeyHash.server(hash, lanes.size()));
        return server.get(KeyHash.connection(hash, server.size()));
    }

    private void each(Consumer<RowLane> work) {
        lanes.forEach(server -> server.forEach(work));
    }

    @Override
    public void stop() {
        each(RowLane::stop);
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
    }

    @Override
    public void close() {
        stop();
        each(RowLane::close);
    }
}
