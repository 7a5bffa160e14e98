package io.distributedid.internal.counter;

import static java.util.Objects.requireNonNull;

import io.distributedid.internal.counter.sql.Writability;
import io.distributedid.internal.jdbc.Link;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A server of counters in memory, which can fail, hang and lock counters. Thread-safe. */
final class MemoryServer {

    private final String name;

    /** In messages. */
    private volatile String label;

    private MemoryTables tables;

    private final List<String> trips = new ArrayList<>();

    private final Set<String> locked = new HashSet<>();

    /** Links of an earlier number are broken. */
    private int connections;

    private @Nullable String failure;

    private @Nullable String readOnly;

    /** Further ones fail. */
    private int writes = Integer.MAX_VALUE;

    private @Nullable CountDownLatch hangs;

    MemoryServer(String name, long largest) {
        this.name = name;
        this.label = name;
        this.tables = MemoryTables.empty(name + "-uuid", false, largest);
    }

    void label(String changed) {
        label = changed;
    }

    synchronized MemoryTables tables() {
        return tables;
    }

    synchronized void change(UnaryOperator<MemoryTables> change) {
        tables = change.apply(tables);
    }

    /** The requests since the last call, by their kind. */
    synchronized List<String> trips() {
        List<String> made = List.copyOf(trips);
        trips.clear();
        return made;
    }

    synchronized void lock(CounterKey counter) {
        locked.add(counter.ledgerRow());
    }

    synchronized void unlockAll() {
        locked.clear();
    }

    /** Each request fails until {@link #heal}. */
    synchronized void fail(String message) {
        failure = message;
        connections++;
    }

    synchronized void failWrites(String message) {
        readOnly = message;
    }

    synchronized void heal() {
        failure = null;
        readOnly = null;
        writes = Integer.MAX_VALUE;
    }

    /** Changes fail after some, until {@link #heal}. */
    synchronized void failWritesAfter(int some) {
        writes = some;
    }

    synchronized void breakConnections() {
        connections++;
    }

    /** Requests wait until {@link #answer}. */
    synchronized void hang() {
        hangs = new CountDownLatch(1);
    }

    synchronized void answer() {
        requireNonNull(hangs).countDown();
        hangs = null;
    }

    private void begin(String kind, int connection) throws SQLException {
        CountDownLatch latch;
        synchronized (this) {
            trips.add(kind);
            latch = hangs;
        }
        try {
            if (latch != null) {
                latch.await();
            }
        } catch (InterruptedException e) {
            throw new SQLException(e);
        }
        synchronized (this) {
            if (failure != null) {
                throw new SQLException(failure);
            }
            if (connection != connections) {
                throw new SQLException(name + ": connection lost");
            }
            if (readOnly != null && !kind.equals("look")) {
                throw new SQLException(readOnly, "25006");
            }
            if (kind.equals("write") && writes-- <= 0) {
                throw new SQLException(name + ": cut off");
            }
        }
    }

    String label() {
        return name;
    }

    /** Connections of a client that numbers the server so. */
    Link.Source<CounterSession> numbered(Numbering numbering) {
        return new Link.Source<>() {
            @Override
            public String label() {
                return label;
            }

            @Override
            public Link<CounterSession> connect(Duration atMost) throws SQLException {
                return MemoryServer.this.connect(numbering);
            }
        };
    }

    private synchronized Link<CounterSession> connect(Numbering numbering) throws SQLException {
        if (failure != null) {
            throw new SQLException(failure);
        }
        return new MemoryLink(new Session(connections, numbering));
    }

    private record MemoryLink(Session session) implements Link<CounterSession> {

        @Override
        public CounterSession open() {
            return session;
        }

        @Override
        public boolean isValid(Duration atMost) {
            return true;
        }

        @Override
        public void limit(Duration atMost) {}

        @Override
        public void abort() {}

        @Override
        public void close() {}
    }

    private final class Session implements CounterSession {

        private final int connection;

        private final Numbering numbering;

        Session(int connection, Numbering numbering) {
            this.connection = connection;
            this.numbering = numbering;
        }

        @Override
        public Map<CounterKey, Seen> look(Collection<CounterKey> counters, boolean forChanges) throws SQLException {
            begin("look", connection);
            Map<CounterKey, Seen> seen = new LinkedHashMap<>();
            counters.forEach(each -> seen.put(each, tables().look(each, numbering)));
            return seen;
        }

        @Override
        public Map<CounterKey, Drawn> draw(List<Draw> draws) throws SQLException {
            begin("draw", connection);
            synchronized (MemoryServer.this) {
                Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
                for (Draw each : draws) {
                    if (locked.contains(each.counter().ledgerRow())) {
                        drawn.put(each.counter(), Drawn.LOCKED);
                        continue;
                    }
                    MemoryTables.Answer answer = tables.draw(each, numbering);
                    tables = answer.tables();
                    drawn.putAll(answer.answers());
                }
                return drawn;
            }
        }

        @Override
        public Set<Write> write(List<Write> writes) throws SQLException {
            Set<Write> made = new HashSet<>();
            for (Write each : writes) {
                if (isMade(each)) {
                    made.add(each);
                }
            }
            return made;
        }

        private boolean isMade(Write write) throws SQLException {
            begin("write", connection);
            synchronized (MemoryServer.this) {
                MemoryTables after = tables.after(write, numbering);
                tables = after == null ? tables : after;
                return after != null;
            }
        }

        @Override
        public void drawNumber(CounterKey counter) throws SQLException {
            begin("draw a number", connection);
            synchronized (MemoryServer.this) {
                tables = tables.drawnFrom(counter, numbering);
            }
        }

        @Override
        public Set<CounterKey> counters(CounterKey one) {
            Set<CounterKey> all = new HashSet<>();
            for (String found : tables().counters().keySet()) {
                if (found.startsWith(one.table() + "/")) {
                    String row = found.substring(one.table().length() + 1);
                    all.add(new CounterKey(one.table(), row, row));
                }
            }
            return all;
        }

        @Override
        public Optional<Writability> whyReadOnly() {
            return Optional.ofNullable(readOnly).map(why -> new Writability(why, why.equals("read_only=1")));
        }
    }
}
