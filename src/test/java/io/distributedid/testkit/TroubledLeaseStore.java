package io.distributedid.testkit;

import io.distributedid.internal.lease.LeaseStore;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client of a store of leases to which may happen what is hard to do to a server: its clock is stepped, the address
 * leads to another store, an answer is lost, and a server of a cluster answers that knows less than others. Calls are
 * counted.
 */
final class TroubledLeaseStore implements LeaseStore {

    private final AtomicInteger calls = new AtomicInteger();

    private final LeaseStore right;

    private volatile LeaseStore led;

    private volatile long shiftMillis;

    /** How many changes until one fails; 0 if none does. */
    private volatile int failsIn;

    private volatile boolean losesAnswer;

    private volatile boolean isDown;

    private volatile Optional<String> server = Optional.empty();

    private volatile Page stale = new Page(Map.of(), 0);

    TroubledLeaseStore(LeaseStore store) {
        right = store;
        led = store;
    }

    /** The calls since the last time. */
    int takeCalls() {
        return calls.getAndSet(0);
    }

    /** From now on the server's clock is this far ahead. */
    void shift(long millis) {
        shiftMillis = millis;
    }

    /** From now on the address leads to this store. */
    void leadTo(LeaseStore other) {
        led = other;
    }

    /** From now on it leads to the right store again. */
    void leadBack() {
        led = right;
    }

    /** The next change is made, and its answer is lost. */
    void loseAnswer() {
        failAt(1, true);
    }

    /**
     * One change fails.
     *
     * @param write which: 1 for the next
     * @param isMade whether it is made all the same
     */
    void failAt(int write, boolean isMade) {
        failsIn = write;
        losesAnswer = isMade;
    }

    /** Whether that is still to come. */
    boolean willFail() {
        return failsIn > 0;
    }

    /** From now on calls fail. */
    void breakDown() {
        isDown = true;
    }

    void comeBack() {
        isDown = false;
    }

    private void call() throws SQLException {
        calls.incrementAndGet();
        if (isDown) {
            throw new SQLException("No route to the server", "08001");
        }
    }

    /** From now on it is another server with the same rows. */
    void become(String otherServer) {
        server = Optional.of(otherServer);
    }

    /** From now on, reads that are not synchronised show this, as far as they ask for it. */
    void showStale(Page page) {
        stale = page;
    }

    @Override
    public Page read(Collection<String> names, boolean isSynchronised) throws SQLException, InterruptedException {
        call();
        Page now = led.read(names, isSynchronised);
        Map<String, Row> rows = new HashMap<>(now.rows());
        if (!isSynchronised) {
            names.stream().filter(stale.rows()::containsKey).forEach(name -> rows.put(name, stale.row(name)));
        }
        return new Page(rows, now.time() + shiftMillis);
    }

    @Override
    public Set<String> write(List<Change> changes) throws SQLException, InterruptedException {
        call();
        boolean fails = failsIn == 1;
        failsIn = Math.max(0, failsIn - 1);
        Set<String> done = fails && !losesAnswer ? Set.of() : led.write(changes);
        if (fails) {
            throw new SQLException("The connection broke", "08S01");
        }
        return done;
    }

    @Override
    public String server() {
        return server.orElseGet(led::server);
    }

    @Override
    public String label() {
        return right.label();
    }

    @Override
    public void stop() {
        right.stop();
    }

    @Override
    public void cut() {
        right.cut();
    }

    @Override
    public void close() {
        right.close();
    }
}
