package io.distributedid.it;

import io.distributedid.DecodedId;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.ComposedIds;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Ids that an H2 sequence of the row's own database makes, all of shard 3; it remembers how it was asked. */
public final class ConnectionIds implements BackendProvider {

    static final long SHARD = 3;

    private static final IdShard FIELD = new IdShard(4, 20);

    /** How many ids were asked for each time. */
    static final List<Integer> ASKED = Collections.synchronizedList(new ArrayList<>());

    /** On which physical connection. */
    static final List<Connection> CONNECTIONS = Collections.synchronizedList(new ArrayList<>());

    static Unit unit(Class<?>... entities) {
        ASKED.clear();
        CONNECTIONS.clear();
        Unit unit = Unit.of(entities).with("distributedid.backend", ConnectionIds.class.getName());
        unit.execute("CREATE SEQUENCE ids");
        return unit;
    }

    @Override
    public String name() {
        return "connection_ids";
    }

    @Override
    public Collection<Setting<?>> settings() {
        return List.of();
    }

    @Override
    public Backend create(BackendContext context) {
        final class Ids implements Backend, ComposedIds {

            @Override
            public IdSource open(Sequence sequence) {
                return (ConnectionIdSource) ConnectionIds::ask;
            }

            @Override
            public Optional<IdShard> shard(Sequence sequence) {
                return Optional.of(FIELD);
            }

            @Override
            public DecodedId decode(Sequence sequence, long id) {
                return new DecodedId(id, null, Map.of(), "");
            }

            @Override
            public void close() {
                // Holds nothing.
            }
        }
        return new Ids();
    }

    private static long[] ask(Connection connection, int count) throws SQLException {
        ASKED.add(count);
        CONNECTIONS.add(connection.unwrap(Connection.class));
        long[] ids = new long[count];
        try (PreparedStatement next =
                        connection.prepareStatement("SELECT NEXT VALUE FOR ids FROM SYSTEM_RANGE(1, " + count + ")");
                ResultSet row = next.executeQuery()) {
            for (int i = 0; i < count; i++) {
                row.next();
                ids[i] = SHARD << 20 | row.getLong(1);
            }
        }
        return ids;
    }
}
