package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counting.CounterKey;
import io.distributedid.internal.counting.Draw;
import io.distributedid.internal.counting.Drawn;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Draws from the counters of one table on one connection. */
@FunctionalInterface
interface Draws {

    static Draws of(CounterTable table) throws SQLException {
        return switch (table.product()) {
            case MYSQL, MARIADB -> new MySqlDraws(table);
            case POSTGRESQL -> new PostgreSqlDraws(table);
            case H2 -> new H2Draws(table);
        };
    }

    /** See {@link io.distributedid.internal.counting.CounterSession#draw}. */
    Map<CounterKey, Drawn> draw(List<Draw> draws) throws SQLException;
}
