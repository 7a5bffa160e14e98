package io.distributedid.internal.counter.sql;

import io.distributedid.internal.jdbc.Queries;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Why a server refuses changes, found without making one:
 *
 * <pre>{@code
 * -- MySQL, MariaDB
 * SHOW GLOBAL VARIABLES WHERE Variable_name IN ('read_only', 'super_read_only', 'innodb_read_only')
 * -- PostgreSQL
 * SHOW transaction_read_only
 * }</pre>
 *
 * @param readOnly the server's variables that forbid changes
 * @param isForSome whether privileged users may write all the same
 */
public record Writability(String readOnly, boolean isForSome) {

    private static final String MYSQL =
            "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('read_only', 'super_read_only', 'innodb_read_only')";

    /** Empty if the server accepts changes. */
    public static Optional<Writability> missing(Connection connection) throws SQLException {
        return switch (DatabaseProduct.of(connection)) {
            case MYSQL, MARIADB -> ofMySql(connection);
            case POSTGRESQL -> ofPostgreSql(connection);
            case H2 -> Optional.empty();
        };
    }

    private static Optional<Writability> ofMySql(Connection connection) throws SQLException {
        TreeSet<String> on = new TreeSet<>();
        Queries.each(connection, MYSQL, List.of(), row -> {
            if (!row.getString(2).equalsIgnoreCase("OFF")) {
                on.add(row.getString(1));
            }
        });
        boolean isForSome = on.size() == 1 && on.contains("read_only");
        return on.isEmpty() ? Optional.empty() : Optional.of(new Writability(String.join("=1 ", on) + "=1", isForSome));
    }

    private static Optional<Writability> ofPostgreSql(Connection connection) throws SQLException {
        return Queries.text(connection, "SHOW transaction_read_only")
                        .orElseThrow()
                        .equals("off")
                ? Optional.empty()
                : Optional.of(new Writability("transaction_read_only=on", false));
    }
}
