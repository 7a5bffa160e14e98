package io.distributedid.testkit;

import io.distributedid.internal.jdbc.StoredText;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The table of sections in a database. */
record DatabaseSectionPlace(String url) implements SectionPlace {

    private static final String CREATE_TABLE = "distributedid.create_tables";

    private static final String STORE = "distributedid.keyed.section.store";

    @Override
    public Map<String, Object> settings() {
        return Map.of(STORE, url, CREATE_TABLE, "true");
    }

    @Override
    public Map<Integer, String> owners() throws SQLException {
        Map<Integer, String> owners = new TreeMap<>();
        for (String row : DatabaseRows.rows(
                url, "SELECT section, owner FROM keyed_section WHERE name = 'messages' AND section >= 0")) {
            String[] columns = row.split(" ", 2);
            owners.put(Integer.valueOf(columns[0]), StoredText.read(columns[1]));
        }
        return owners;
    }

    @Override
    public void replace(int section, long max, String owner) throws SQLException {
        DatabaseRows.execute(
                url,
                "UPDATE keyed_section SET max_number = " + max + ", owner = '" + owner + "', token = '"
                        + UUID.randomUUID() + "' WHERE name = 'messages' AND section = " + section);
    }

    @Override
    public void empty() throws SQLException {
        DatabaseRows.execute(url, "DELETE FROM keyed_section");
    }

    @Override
    public Way way() {
        return new Route(url);
    }

    /** H2 ignores {@link Connection#abort}, so connections are closed. */
    private static final class Route extends PlainDataSource implements Way {

        private final Set<Connection> lent = ConcurrentHashMap.newKeySet();

        private final String url;

        private volatile boolean isCut;

        Route(String url) {
            this.url = url;
        }

        @Override
        public Map<String, Object> settings() {
            return Map.of(STORE, this, CREATE_TABLE, "true");
        }

        @Override
        public void cut() throws SQLException {
            isCut = true;
            for (Connection each : lent) {
                each.close();
            }
        }

        @Override
        public void mend() {
            isCut = false;
        }

        @Override
        public String error() {
            return "No route to the server";
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (isCut) {
                throw new SQLNonTransientConnectionException(error(), "08001");
            }
            Connection connection = DriverManager.getConnection(url);
            lent.add(connection);
            return connection;
        }

        @Override
        public void close() {
            // The library gives back what it was lent.
        }
    }
}
