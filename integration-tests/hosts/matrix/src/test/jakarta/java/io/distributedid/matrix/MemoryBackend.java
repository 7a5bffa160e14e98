package io.distributedid.matrix;

import io.distributedid.DecodedId;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Gives ids from memory and remembers each, so that a test can say that the rows have them, all of them and no others.
 */
public final class MemoryBackend implements BackendProvider, Backend {

    private static final Map<String, List<Long>> GIVEN = new ConcurrentHashMap<>();

    static final String ON_CONNECTION = "on_connection";

    static void reset() {
        GIVEN.clear();
    }

    /** The ids that a sequence has given, in order. Providers write the names of tables in upper or lower case. */
    static List<Long> given(String sequence) {
        return GIVEN.computeIfAbsent(sequence.toLowerCase(Locale.ROOT), name -> new CopyOnWriteArrayList<>());
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Collection<Setting<?>> settings() {
        return List.of();
    }

    @Override
    public Backend create(BackendContext context) {
        return this;
    }

    /** On the connection of the session, if the sequence is named so. */
    @Override
    public IdSource open(Sequence sequence) {
        String name = sequence.name();
        return name.equals(ON_CONNECTION) ? (ConnectionIdSource) MemoryBackend::ask : () -> next(name);
    }

    private static long next(String name) {
        List<Long> given = given(name);
        synchronized (given) {
            given.add(101L + given.size());
            return given.get(given.size() - 1);
        }
    }

    private static long[] ask(Connection connection, int count) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT x FROM SYSTEM_RANGE(1, " + count + ")")) {
            long[] ids = new long[count];
            for (int i = 0; rows.next(); i++) {
                ids[i] = next(ON_CONNECTION);
            }
            return ids;
        }
    }

    @Override
    public DecodedId decode(Sequence sequence, long id) {
        throw new UnsupportedOperationException("decode");
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
