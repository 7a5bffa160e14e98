package io.distributedid.internal.keyed.row;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * Takes numbers of several keys in one transaction. It waits for no lock: a key whose row another client has locked,
 * which has no row yet or too few numbers left, is left out, and is to be asked for alone. For one thread.
 */
interface RowBatch {

    /**
     * What is asked for.
     *
     * @param record the number that the record of the sequence must have, see {@link RowDialect#take}
     */
    record Take(RowKey row, long count, long record) {}

    /** A database that gains nothing by it. */
    RowBatch NONE = takes -> Map.of();

    /** Returns the last number of each key that was not left out. */
    Map<RowKey, Long> take(List<Take> takes) throws SQLException;
}
