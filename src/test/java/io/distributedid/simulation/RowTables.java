package io.distributedid.simulation;

import io.distributedid.internal.keyed.row.RowKey;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** The table of keys, with transactions at READ COMMITTED that lock the rows which they write. */
final class RowTables {

    private static final long LONGEST_LOCK_WAIT = 300_000_000;

    /** A statement in a transaction. */
    @FunctionalInterface
    interface Statement<T> {
        T in(Transaction transaction) throws SQLException;
    }

    private final World world;

    private Map<RowKey, Long> rows = empty();

    private final Map<RowKey, Transaction> locks = new HashMap<>();

    private final Set<Transaction> open = new LinkedHashSet<>();

    /** All that the rows were after a commit. */
    private final List<Map<RowKey, Long>> history = new ArrayList<>();

    /** Whether an operator changes all rows, or waits for the transactions before that. */
    private boolean isClosed;

    private int begun;

    RowTables(World world) {
        this.world = world;
    }

    private static Map<RowKey, Long> empty() {
        return new TreeMap<>(Comparator.comparing(RowKey::toString));
    }

    final class Transaction {

        private final String name = "transaction" + ++begun;

        /** Empty for rows that are deleted. */
        private final Map<RowKey, OptionalLong> written = new LinkedHashMap<>();

        private final List<Runnable> effects = new ArrayList<>();

        private boolean isOver;

        String name() {
            return name;
        }

        OptionalLong get(RowKey row) {
            Long number = rows.get(row);
            return written.getOrDefault(row, number == null ? OptionalLong.empty() : OptionalLong.of(number));
        }

        boolean isLockedByOthers(RowKey row) {
            return locks.getOrDefault(row, this) != this;
        }

        void lock(RowKey row) throws SQLException {
            if (isLockedByOthers(row)
                    && !world.await(() -> isOver || !isLockedByOthers(row), LONGEST_LOCK_WAIT, false)) {
                throw Failure.timeout("lock");
            }
            if (isOver) {
                throw Failure.reset("database");
            }
            locks.put(row, this);
        }

        void put(RowKey row, OptionalLong number) throws SQLException {
            lock(row);
            written.put(row, number);
        }

        /** @param effect of the commit */
        void then(Runnable effect) {
            effects.add(effect);
        }

        void commit() throws SQLException {
            if (isOver) {
                throw Failure.reset("database");
            }
            written.forEach((row, number) -> {
                if (number.isPresent()) {
                    rows.put(row, number.getAsLong());
                } else {
                    rows.remove(row);
                }
            });
            end();
            world.log(() -> "committed: " + written);
            effects.forEach(Runnable::run);
            history.add(new HashMap<>(rows));
        }

        /** Does nothing after the end. */
        void end() {
            isOver = true;
            locks.values().removeIf(each -> each == this);
            open.remove(this);
        }

        boolean isOver() {
            return isOver;
        }
    }

    Transaction begin() {
        if (isClosed) {
            boolean unused = world.await(() -> !isClosed, Long.MAX_VALUE, false);
        }
        Transaction transaction = new Transaction();
        open.add(transaction);
        return transaction;
    }

    /** In autocommit mode. */
    <T> T alone(Statement<T> statement) throws SQLException {
        Transaction own = begin();
        try {
            T result = statement.in(own);
            own.commit();
            return result;
        } finally {
            own.end();
        }
    }

    /** All transactions are undone. */
    void crash() {
        List.copyOf(open).forEach(Transaction::end);
    }

    /** As by TRUNCATE, which waits for all transactions. */
    void change(Runnable work) {
        isClosed = true;
        boolean unused = world.await(open::isEmpty, Long.MAX_VALUE, false);
        work.run();
        world.log(() -> "now " + rows);
        isClosed = false;
    }

    Map<RowKey, Long> rows() {
        return rows;
    }

    /** What they were so many commits ago. */
    Map<RowKey, Long> ago(int commits) {
        return history.get(Math.max(0, history.size() - 1 - commits));
    }

    boolean hasHistory() {
        return !history.isEmpty();
    }

    @Override
    public String toString() {
        return rows.toString();
    }
}
