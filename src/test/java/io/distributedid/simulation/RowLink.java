package io.distributedid.simulation;

import io.distributedid.internal.jdbc.Link;
import io.distributedid.internal.keyed.row.RowKey;
import io.distributedid.internal.keyed.row.RowSession;
import io.distributedid.internal.keyed.row.RowStore;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A connection to the table of keys. Requests go wrong as the network says. */
final class RowLink implements RowStore, Link<RowSession> {

    private static final long LIMIT = 300_000_000;

    private static final long LATEST = 3_000_000_000L;

    private static final String SCHEMA = "public";

    private final RowRun run;

    private final String name;

    private final BooleanSupplier isAway;

    private final Function<RowStore, RowSession> sessions;

    private final int crashes;

    /** Of the caller; null in autocommit mode. */
    private RowTables.@Nullable Transaction transaction;

    private boolean isCut;

    RowLink(RowRun run, String name, BooleanSupplier isAway, Function<RowStore, RowSession> sessions)
            throws SQLException {
        this.run = run;
        this.name = name;
        this.isAway = isAway;
        this.sessions = sessions;
        this.crashes = run.crashes();
        travel();
    }

    private void travel() throws SQLException {
        run.world().step(run.world().random(50_000, 2_000_000));
        if (isCut || isAway.getAsBoolean() || crashes != run.crashes()) {
            throw broken(Failure.reset(name));
        }
    }

    private SQLException broken(SQLException e) {
        abort();
        return e;
    }

    private <T> T call(RowTables.Statement<T> statement) throws SQLException {
        World world = run.world();
        RowTables.Transaction current = transaction;
        travel();
        Network.Fate fate = run.network().next();
        if (fate == Network.Fate.TWICE && current == null) {
            T ignored = run.tables().alone(statement);
            world.sleep(world.random(0, LIMIT));
        }
        if (fate == Network.Fate.FINE || fate == Network.Fate.TWICE) {
            T answer = done(statement, current);
            travel();
            return answer;
        }
        if (fate == Network.Fate.UNANSWERED) {
            T ignored = done(statement, current);
        } else if (fate == Network.Fate.LATE && current == null) {
            later(() -> run.tables().alone(statement));
        }
        throw unanswered();
    }

    private SQLException unanswered() {
        boolean unused = run.world().await(() -> isCut, run.world().once(2) ? LIMIT : 1, false);
        return broken(Failure.timeout(name));
    }

    private <T> T done(RowTables.Statement<T> statement, RowTables.@Nullable Transaction current) throws SQLException {
        if (current == null) {
            return run.tables().alone(statement);
        }
        try {
            return statement.in(current);
        } catch (SQLException e) {
            throw keepsTransaction(e) ? e : broken(e);
        }
    }

    private interface Late {
        Object run() throws SQLException;
    }

    private void later(Late work) {
        World world = run.world();
        world.startAfter(world.random(0, LATEST), run.wire(), "late request of " + name, () -> {
            try {
                Object answer = work.run();
                world.log(() -> "a late request is done: " + answer);
            } catch (SQLException e) {
                world.log(() -> "a late request fails: " + e);
            }
        });
    }

    void begin() {
        transaction = run.tables().begin();
    }

    /** @param effect of the commit, which may be done though there is no answer */
    void commit(Runnable effect) throws SQLException {
        RowTables.Transaction ending = transaction;
        if (ending == null) {
            return;
        }
        travel();
        ending.then(effect);
        Network.Fate fate = run.network().next();
        transaction = fate == Network.Fate.LATE ? null : transaction;
        switch (fate) {
            case FINE, TWICE, UNANSWERED -> ending.commit();
            case LATE ->
                later(() -> {
                    ending.commit();
                    return "COMMIT";
                });
            case LOST -> ending.end();
        }
        if (fate != Network.Fate.FINE && fate != Network.Fate.TWICE) {
            throw unanswered();
        }
        travel();
    }

    void rollback() {
        if (transaction != null) {
            transaction.end();
        }
    }

    boolean isBroken() {
        return isCut;
    }

    @Override
    public String database() {
        return "database";
    }

    @Override
    public OptionalLong read(RowKey row) throws SQLException {
        return call(in -> in.get(row));
    }

    @Override
    public boolean insert(RowKey row, long number) throws SQLException {
        return call(in -> {
            in.lock(row);
            boolean isMissing = in.get(row).isEmpty();
            if (isMissing) {
                in.put(row, OptionalLong.of(number));
            }
            return isMissing;
        });
    }

    @Override
    public OptionalLong add(RowKey row, long count, long record) throws SQLException {
        return call(in -> added(in, row, count, record));
    }

    private OptionalLong added(RowTables.Transaction in, RowKey row, long count, long record) throws SQLException {
        in.lock(row);
        if (in.get(row).isEmpty() || (run.setup().comparesRecord() && !isRecorded(in, row, record))) {
            return OptionalLong.empty();
        }
        in.put(row, OptionalLong.of(in.get(row).getAsLong() + count));
        return in.get(row);
    }

    private static boolean isRecorded(RowTables.Transaction in, RowKey row, long record) {
        return in.get(new RowKey(row.sequence(), RowKey.RECORD)).equals(OptionalLong.of(record));
    }

    @Override
    public Map<RowKey, Long> addTogether(List<Take> takes) throws SQLException {
        return call(in -> {
            Map<RowKey, Long> last = new HashMap<>();
            for (Take each : takes) {
                if (!in.isLockedByOthers(each.row())) {
                    added(in, each.row(), each.count(), each.record())
                            .ifPresent(number -> last.put(each.row(), number));
                }
            }
            return last;
        });
    }

    @Override
    public void insertAboveFloor(RowKey row, long record) throws SQLException {
        boolean unused = call(in -> {
            in.lock(row);
            OptionalLong floor = in.get(new RowKey(row.sequence(), RowKey.FLOOR));
            if (in.get(row).isEmpty() && floor.isPresent() && isRecorded(in, row, record)) {
                in.put(row, floor);
            }
            return true;
        });
    }

    @Override
    public OptionalLong take(RowKey row, long count, boolean isKnown, Set<String> schemas) throws SQLException {
        return call(in -> {
            in.lock(row);
            in.put(row, OptionalLong.of(in.get(row).orElse(0) + count));
            return in.get(row);
        });
    }

    @Override
    public Optional<Found> find(RowKey row) throws SQLException {
        return call(in -> {
            OptionalLong number = in.get(row);
            return number.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            new Found(number.getAsLong(), SCHEMA, run.setup().namesTransactions() ? in.name() : name));
        });
    }

    @Override
    public boolean findsNewest() {
        return true;
    }

    @Override
    public boolean replace(RowKey row, long from, long to) throws SQLException {
        return call(in -> {
            in.lock(row);
            boolean isSame = in.get(row).equals(OptionalLong.of(from));
            if (isSame) {
                in.put(row, OptionalLong.of(to));
            }
            return isSame;
        });
    }

    /** A lock wait that has lasted too long, as on MySQL. */
    @Override
    public boolean keepsTransaction(SQLException error) {
        return error instanceof SQLTimeoutException
                && String.valueOf(error.getMessage()).endsWith("lock");
    }

    @Override
    public String schemas() {
        return SCHEMA;
    }

    @Override
    public void restore() {}

    @Override
    public RowSession open() {
        return sessions.apply(this);
    }

    /** The server undoes the transaction. */
    @Override
    public void abort() {
        isCut = true;
        rollback();
    }

    @Override
    public String toString() {
        return name;
    }
}
