package io.distributedid.backend.nextid;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.spi.IdShard;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Ids of one function, on the caller's connection: {@code SELECT * FROM next_id(n)}, or in Instagram's form
 * {@code SELECT next_id() FROM generate_series(1, n)}. Ids that don't fit the configured form, layout or shard are an
 * error, before a row is written with them.
 *
 * @param place the bits of the shard in the ids
 * @param shard of all connections; empty if each may have another
 */
record NextIdSource(FunctionName function, NextIdForm form, long maxId, IdShard place, OptionalLong shard)
        implements ConnectionIdSource {

    @Override
    public long[] next(Connection connection, int count) throws SQLException {
        if (count < 1) {
            throw new IllegalArgumentException("The number of ids must be at least 1: count=" + count);
        }
        long[] ids;
        String sql = form == NextIdForm.HARDENED
                ? "SELECT * FROM " + function + "(?)"
                : "SELECT " + function + "() FROM generate_series(1, ?)";
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setInt(1, count);
            ids = read(select, count);
        } catch (SQLException e) {
            throw explained(connection, e);
        }
        check(ids);
        return ids;
    }

    private long[] read(PreparedStatement select, int count) throws SQLException {
        long[] ids = new long[count];
        try (ResultSet row = select.executeQuery()) {
            for (int i = 0; i < count; i++) {
                if (!row.next()) {
                    throw new SQLException("A function must return one id for each call: function=" + function
                            + " calls=" + count + " ids=" + i);
                }
                ids[i] = row.getLong(1);
            }
        }
        return ids;
    }

    private void check(long[] ids) {
        if (form == NextIdForm.INSTAGRAM) {
            Arrays.sort(ids);
        }
        long last = 0;
        for (long id : ids) {
            if (id < 1 || id > maxId) {
                throw wrong("ids from 1 to " + maxId, "id=" + id, "distributedid.next_id.layout");
            }
            if (shard.isPresent() && place.of(id) != shard.getAsLong()) {
                throw wrong(
                        "ids of shard " + shard.getAsLong(),
                        "id=" + id + " shard=" + place.of(id),
                        "distributedid.next_id.shard");
            }
            if (id <= last && form == NextIdForm.HARDENED) {
                throw wrong("ascending ids", "id=" + id + " after id=" + last, "distributedid.next_id.form");
            }
            if (id == last) {
                throw new IdUnavailableException(
                        "A function of the form instagram repeats ids if too many are made in one"
                                + " unit of time: function=" + function + " id=" + id + ". Use the form hardened");
            }
            last = id;
        }
    }

    private IdConfigurationException wrong(String rule, String found, String setting) {
        return new IdConfigurationException("The function must make " + rule + ": function=" + function + " " + found
                + ". It is another function, or the connection's search_path leads to another shard, or " + setting
                + " is not as it was when the function was created");
    }

    private SQLException explained(Connection connection, SQLException e) {
        if (SqlErrors.functionIsMissing(e)) {
            IdConfigurationException error = missing(connection);
            error.initCause(e);
            throw error;
        }
        if (SqlErrors.isDenied(e)) {
            throw new IdConfigurationException(
                    "The database's user must be allowed to call the function that makes ids: " + e.getMessage()
                            + ". GRANT USAGE ON SCHEMA ...; GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ...; GRANT "
                            + rights() + " ON SEQUENCE " + function.sequence(),
                    e);
        }
        if (SqlErrors.tableIsMissing(e)) {
            throw new IdConfigurationException(
                    "The sequence of the function that makes ids is missing: " + e.getMessage() + ". If its schema"
                            + " has another name now, create the function again with NextIdSchema.create",
                    e);
        }
        return e;
    }

    private String signature() {
        return function + (form == NextIdForm.HARDENED ? "(integer)" : "()");
    }

    /** The rights on the function's sequence that its callers need. */
    String rights() {
        return form == NextIdForm.HARDENED ? "SELECT, UPDATE" : "USAGE";
    }

    private IdConfigurationException missing(Connection connection) {
        return new IdConfigurationException(
                "The function that makes ids is missing: function=" + signature() + " " + searchPath(connection)
                        + ". Create it in the schema of each shard with NextIdSchema.create, or with the statements of"
                        + " IdAdmin.ddl; or let Hibernate create it (hibernate.hbm2ddl.auto and "
                        + "distributedid.next_id.shard)");
    }

    /** Refuses a missing function. Returns whether the connection's user may call it. Takes no id. */
    boolean requireThere(Connection connection) throws SQLException {
        String[] rights = rights().split(", ", -1);
        StringBuilder sql =
                new StringBuilder("SELECT to_regprocedure(?), has_function_privilege(to_regprocedure(?), 'EXECUTE')");
        for (String right : rights) {
            sql.append(" AND has_sequence_privilege(to_regclass(?), '")
                    .append(right)
                    .append("')");
        }
        try (PreparedStatement select = connection.prepareStatement(sql.toString())) {
            select.setString(1, signature());
            select.setString(2, signature());
            for (int i = 0; i < rights.length; i++) {
                select.setString(3 + i, function.sequence());
            }
            try (ResultSet row = select.executeQuery()) {
                row.next();
                if (row.getString(1) == null) {
                    throw missing(connection);
                }
                return row.getBoolean(2);
            }
        }
    }

    private static String searchPath(Connection connection) {
        try (PreparedStatement show = connection.prepareStatement("SHOW search_path");
                ResultSet row = show.executeQuery()) {
            row.next();
            return "search_path=" + row.getString(1);
        } catch (SQLException e) {
            // A failed transaction allows no query.
            return "on the search_path of the row's connection";
        }
    }
}
