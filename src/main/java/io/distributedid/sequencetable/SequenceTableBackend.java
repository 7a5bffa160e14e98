package io.distributedid.sequencetable;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.Database;
import io.distributedid.internal.Servers;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sequence table: {@code sequence(name, id)} with a row per sequence that holds the last id reserved. A block of n ids is
 * one UPDATE that adds n, see {@link MySqlSequenceTableDialect}; the row is created at the first use of a name. After Yupoo's
 * sharding, and Meituan's Leaf and Didi's TinyID, which take blocks from such a table.
 *
 * <p>The table is in the persistence unit's own database unless a server is set. Blocks are reserved on threads of our own in
 * transactions of their own: a rollback of the application's gives no id back.
 */
final class SequenceTableBackend implements Backend {

    private final BackendContext context;

    private final Map<Object, Database<SequenceTableSession>> byConfiguration = new ConcurrentHashMap<>();

    SequenceTableBackend(BackendContext context) {
        this.context = context;
    }

    @Override
    public IdSource open(Sequence sequence) {
        Settings settings = sequence.settings();
        String table = SequenceTableSchema.tableName(settings);
        Database<SequenceTableSession> database = database(settings);
        try {
            database.call(session -> {
                session.open(table, database.label());
                return true;
            });
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "The sequence table's server does not answer: " + database.label() + " said: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while connecting to " + database.label(), e);
        }
        return context.buffer(
                sequence,
                wanted -> database.call(session -> {
                    session.open(table, database.label());
                    return session.reserve(table, sequence.name(), wanted);
                }));
    }

    private Database<SequenceTableSession> database(Settings settings) {
        Duration timeout = settings.duration(
                DistributedIdSettings.SEQUENCE_TABLE_TIMEOUT,
                Duration.ofSeconds(2),
                Duration.ofMillis(100),
                Duration.ofMinutes(1));
        boolean createTable = settings.flag(DistributedIdSettings.SEQUENCE_TABLE_CREATE_TABLE, false);
        List<Object> configuration = List.of(
                settings.object(DistributedIdSettings.SEQUENCE_TABLE_SERVERS),
                settings.object(DistributedIdSettings.SEQUENCE_TABLE_USER),
                settings.object(DistributedIdSettings.SEQUENCE_TABLE_PASSWORD),
                timeout,
                createTable);
        return byConfiguration.computeIfAbsent(
                configuration,
                key -> new Database<>(
                        access(settings, timeout),
                        timeout,
                        connection -> new SequenceTableSession(connection, createTable)));
    }

    private ConnectionAccess access(Settings settings, Duration timeout) {
        List<ConnectionAccess> servers = Servers.find(
                settings,
                DistributedIdSettings.SEQUENCE_TABLE_SERVERS,
                DistributedIdSettings.SEQUENCE_TABLE_USER,
                DistributedIdSettings.SEQUENCE_TABLE_PASSWORD,
                timeout);
        if (servers.size() > 1) {
            throw settings.invalid(
                    DistributedIdSettings.SEQUENCE_TABLE_SERVERS,
                    servers,
                    "one server; two would each count from 1 and give the same ids");
        }
        if (!servers.isEmpty()) {
            return servers.get(0);
        }
        return context.ownDatabase()
                .orElseThrow(() -> new IdConfigurationException("A setting is missing: "
                        + DistributedIdSettings.SEQUENCE_TABLE_SERVERS + ", allowed: " + Servers.ALLOWED
                        + ". Without Hibernate, or with a tenant in every connection, there is no database of our own to hold the"
                        + " sequence table"));
    }

    /** The id is a plain count: it has no fields. */
    @Override
    public DecodedId decode(Sequence sequence, long id) {
        return new DecodedId(id, null, Map.of());
    }

    @Override
    public void close() {
        byConfiguration.values().forEach(Database::close);
    }
}
