package io.distributedid.backend.sequencetable;

import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The schemas of one server's tables. On PostgreSQL a table without a schema lies in the first schema of the search
 * path that has such a table, which changes when a table of that name appears in an earlier schema. The schema is
 * therefore looked up once and kept for all later connections. Thread-safe.
 */
final class TablePins {

    private final Map<String, String> pinned = new ConcurrentHashMap<>();

    /** The table's name in SQL, with its schema if that is known. */
    String name(Connection connection, DatabaseProduct product, String configured) throws SQLException {
        String known = pinned.get(configured);
        return known == null ? lookUp(connection, product, configured) : known;
    }

    /** Looks up the schema of an existing table, and keeps it. */
    String pin(Connection connection, DatabaseProduct product, String configured) throws SQLException {
        String known = pinned.get(configured);
        if (known != null) {
            return known;
        }
        String found = lookUp(connection, product, configured);
        String before = pinned.putIfAbsent(configured, found);
        return before == null ? found : before;
    }

    /** Whether the server looks for the table in several schemas. */
    static boolean isSearched(DatabaseProduct product, String configured) {
        return product == DatabaseProduct.POSTGRESQL && configured.indexOf('.') < 0;
    }

    private static String lookUp(Connection connection, DatabaseProduct product, String configured)
            throws SQLException {
        if (!isSearched(product, configured)) {
            return configured;
        }
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT quote_ident(n.nspname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                        + " WHERE c.oid = to_regclass(?)")) {
            select.setString(1, configured);
            try (ResultSet schema = select.executeQuery()) {
                return schema.next() ? schema.getString(1) + "." + configured : configured;
            }
        }
    }
}
