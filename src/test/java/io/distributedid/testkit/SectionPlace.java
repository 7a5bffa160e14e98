package io.distributedid.testkit;

import io.distributedid.DistributedIds;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A database that stores sections, as processes reach it, and as an operator sees it. */
record SectionPlace(String url) {

    private static final Pattern SECTION = Pattern.compile("^@keyed/messages/(\\d+) ");

    private static final String CREATE_TABLE = "distributedid.create_tables";

    private static final String STORE = "distributedid.keyed.section.store";

    /** What the issuing service opens. */
    static DistributedIds serving(Map<String, ?> settings) {
        return DistributedIds.builder().settings(settings).asService().build();
    }

    /** The settings of a process that uses the store. */
    Map<String, Object> settings() {
        return Map.of(STORE, url, CREATE_TABLE, "true");
    }

    /** The owner of each section of the sequence messages; empty for one that was handed over. */
    Map<Integer, String> owners() throws SQLException {
        Map<Integer, String> owners = new TreeMap<>();
        for (String row :
                DatabaseRows.rows(url, "SELECT name, text FROM distributedid WHERE name LIKE '@keyed/messages/%'")) {
            Matcher section = SECTION.matcher(row);
            if (section.find()) {
                owners.put(Integer.valueOf(section.group(1)), row.replaceAll("^.* owner=(\\S+) .*$|.*", "$1"));
            }
        }
        return owners;
    }

    /** Sets a section of the sequence messages back, as a restore does. */
    void setBack(int section, long max) throws SQLException {
        replace(section, max, "1-restored");
    }

    /** Raises a section of the sequence messages as an operator does, to go on above all numbers. */
    void raise(int section, long max) throws SQLException {
        replace(section, max, "1000000-raised");
    }

    private void replace(int section, long max, String version) throws SQLException {
        DatabaseRows.execute(
                url,
                "UPDATE distributedid SET number = " + max + ", version = '" + version
                        + "', text = '-' WHERE name = '@keyed/messages/" + section + "'");
    }

    /** Deletes all rows of sequences. */
    void empty() throws SQLException {
        DatabaseRows.execute(url, "DELETE FROM distributedid WHERE name LIKE '@keyed/%'");
    }

    /** A new way to the store, which can be cut. */
    Way way() {
        return new Way(url);
    }

    /** H2 ignores {@link Connection#abort}, so connections are closed. */
    static final class Way extends PlainDataSource implements AutoCloseable {

        private final Set<Connection> lent = ConcurrentHashMap.newKeySet();

        private final String url;

        private volatile boolean isCut;

        Way(String url) {
            this.url = url;
        }

        Map<String, Object> settings() {
            return Map.of(STORE, this, CREATE_TABLE, "true");
        }

        void cut() throws SQLException {
            isCut = true;
            for (Connection each : lent) {
                each.close();
            }
        }

        /** Makes it whole again. */
        void mend() {
            isCut = false;
        }

        /** What the error of a call says while the way is cut. */
        String error() {
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
