package io.distributedid.backend.snowflake.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A rolling deployment that moves worker numbers, run by {@link StoreClient}, {@link MovingClient} and
 * {@link StoreMove} themselves on simulated time: processes of all three steps at once, and the command at any time,
 * with force, several times, or aborted. Each has a thread, but one runs at a time: while one calls a store or waits,
 * another may go on. Requests and answers take time, sometimes longer than a window, get lost, or arrive when no thread
 * waits for them. Processes are suspended, are killed, or hand back.
 *
 * <p>Of each (number, millisecond) it knows who may put it into an id. To let a second one is a violation.
 */
final class MoveSimulation {

    /** What is broken on purpose. */
    enum Fault {
        NONE,
        /** The command neither waits nor records when windows may begin. */
        NO_WAIT,
        /** A process with the new store alone does not check whether the move has ended. */
        EARLY_START,
        /** A process with the old store alone ignores the fence. */
        NO_FENCE,
        /** A process with both stores leases in the new one alone. */
        ONE_STORE,
        /** The command does not take single-use numbers along. */
        NO_BURNT
    }

    enum Kind {
        OLD,
        BOTH,
        NEW,
        /** Leases in the old store alone, for a single use. */
        SINGLE_USE,
        COMMAND
    }

    private static final long START = 1_763_733_600_000L;

    private static final long WINDOW = 1_000;

    private static final int NUMBERS = 5;

    private static final long END = START + 40_000;

    private static final LeaseTerms TERMS = terms(false);

    private static LeaseTerms terms(boolean singleUse) {
        return new LeaseTerms(
                new LeaseProtocol(WINDOW, 0, NUMBERS - 1, singleUse),
                Duration.ofMillis(WINDOW / 4),
                Duration.ofMillis(WINDOW),
                Duration.ofMillis(WINDOW));
    }

    private static final class Killed extends Error {

        private static final long serialVersionUID = 1L;
    }

    /** Something that happens at a time: a thread goes on, or a late message arrives. */
    private record Event(long time, long order, Runnable run) {}

    private final SplittableRandom random;

    private final Fault fault;

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::order));

    private final List<Actor> actors = new ArrayList<>();

    private final Semaphore scheduler = new Semaphore(0);

    private final MemoryStore old = new MemoryStore(() -> Instant.ofEpochMilli(now() + 20));

    private final MemoryStore next = new MemoryStore(() -> Instant.ofEpochMilli(now() - 30));

    /** By number and millisecond. */
    private final Map<Long, Integer> owners = new HashMap<>();

    private final Map<Kind, Integer> grants = new EnumMap<>(Kind.class);

    private @Nullable String violation;

    private long now = START;

    private long order;

    MoveSimulation(long seed, Fault fault) {
        random = new SplittableRandom(seed);
        this.fault = fault;
    }

    private long now() {
        return now;
    }

    /** Returns what was violated, or null. */
    @Nullable
    String run() throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            start(Kind.OLD, random.nextLong(500));
            start(Kind.BOTH, 500 + random.nextLong(12_000));
            start(Kind.BOTH, 500 + random.nextLong(30_000));
            start(Kind.NEW, 500 + random.nextLong(25_000));
        }
        for (int i = 0; i < 3; i++) {
            start(Kind.COMMAND, 4_000 + random.nextLong(15_000));
        }
        start(Kind.SINGLE_USE, random.nextLong(300));
        while (violation == null && !events.isEmpty() && events.peek().time < END) {
            Event event = events.poll();
            now = Math.max(now, event.time);
            event.run.run();
        }
        for (Actor actor : actors) {
            actor.kill();
        }
        return violation;
    }

    /** How often a window was granted to each kind. */
    Map<Kind, Integer> grants() {
        return grants;
    }

    private void at(long time, Runnable run) {
        events.add(new Event(time, order++, run));
    }

    private void start(Kind kind, long after) {
        Actor actor = new Actor(kind, actors.size());
        actors.add(actor);
        at(START + after, actor::goOn);
    }

    /** A process, or the command. */
    private final class Actor {

        private final Kind kind;

        private final int id;

        private final SplittableRandom dice;

        private final Semaphore turn = new Semaphore(0);

        private final Thread thread;

        private final long clockOffset;

        private boolean killed;

        private boolean ended;

        private @Nullable Grant owned;

        Actor(Kind kind, int id) {
            this.kind = kind;
            this.id = id;
            dice = random.split();
            clockOffset = dice.nextLong(-180, 180);
            thread = new Thread(this::live, "simulated " + kind + " " + id);
            thread.setDaemon(true);
        }

        /** Runs it until it waits; called by the scheduler. */
        void goOn() {
            if (ended) {
                return;
            }
            if (thread.getState() == Thread.State.NEW) {
                thread.start();
            } else {
                turn.release();
            }
            scheduler.acquireUninterruptibly();
        }

        void kill() {
            killed = true;
            if (thread.getState() != Thread.State.NEW) {
                goOn();
            }
        }

        /** Called by its thread. */
        void pause(long millis) {
            at(now + millis, this::goOn);
            scheduler.release();
            turn.acquireUninterruptibly();
            if (killed) {
                throw new Killed();
            }
        }

        private void live() {
            try {
                if (kind == Kind.COMMAND) {
                    command();
                } else {
                    lease(client());
                }
            } catch (Killed | InterruptedException e) {
                // It is gone; its windows are not.
            } catch (RuntimeException | Error e) {
                violation = "Unexpected: " + e;
            } finally {
                ended = true;
                scheduler.release();
            }
        }

        private void command() throws InterruptedException {
            while (true) {
                boolean jumps = fault == Fault.NO_WAIT;
                StoreMove move = new StoreMove(
                        new View(this, old),
                        new View(this, next),
                        () -> (now + (jumps ? dice.nextLong(1_000_000_000L) : 0)) * 1_000_000,
                        this::pause);
                try {
                    move.finish(dice.nextBoolean());
                    return;
                } catch (WorkerStoreException | RuntimeException e) {
                    pause(dice.nextLong(1_000));
                }
                if (dice.nextInt(5) == 0) {
                    return;
                }
            }
        }

        private LeaseClient client() {
            InstantSource clock = () -> Instant.ofEpochMilli(now + clockOffset);
            if (kind == Kind.BOTH && fault != Fault.ONE_STORE) {
                return new MovingClient(
                        new View(this, old),
                        new View(this, next),
                        TERMS,
                        clock,
                        () -> now * 1_000_000,
                        () -> dice.nextInt(Integer.MAX_VALUE),
                        kind + " " + id);
            }
            return new StoreClient(
                    new View(this, kind == Kind.NEW || kind == Kind.BOTH ? next : old),
                    terms(kind == Kind.SINGLE_USE),
                    clock,
                    () -> now * 1_000_000,
                    () -> dice.nextInt(Integer.MAX_VALUE),
                    kind + " " + id);
        }

        private void lease(LeaseClient client) throws InterruptedException {
            while (kind == Kind.NEW && !next.hasRecord()) {
                // A place that nobody moves to could be any; the database of the entities would notice.
                pause(500);
            }
            long life = dice.nextLong(20_000);
            long end = now + life;
            while (now < end) {
                try {
                    while (client.isDue()) {
                        client.renew();
                        own(client.granted());
                    }
                } catch (WorkerStoreException | RuntimeException e) {
                    pause(dice.nextLong(200));
                }
                own(client.granted());
                pause(dice.nextInt(40) == 0 ? dice.nextLong(4_000) : dice.nextLong(150));
            }
            if (kind == Kind.SINGLE_USE || dice.nextBoolean()) {
                return;
            }
            Grant last = client.granted();
            if (last != null) {
                long unused = last.from() + dice.nextLong(last.until() - last.from() + 1);
                disown(last, unused);
                try {
                    client.handBack(unused);
                } catch (WorkerStoreException e) {
                    // The rest of the window is nobody's.
                }
            }
        }

        private void own(@Nullable Grant grant) {
            if (grant == null || grant.equals(owned)) {
                return;
            }
            owned = grant;
            grants.merge(kind, 1, Integer::sum);
            for (long time = grant.from(); time < Math.min(grant.until(), END); time++) {
                Integer owner = owners.putIfAbsent(key(grant, time), id);
                if (owner != null && owner != id && violation == null) {
                    violation = "Number " + grant.worker() + " at " + (time - START) + " is " + kind + " " + id
                            + "'s, and was " + actors.get(owner).kind + " " + owner + "'s; now=" + (now - START);
                }
            }
        }

        /** Gives up all windows of its number from there on, in which it has composed no id. */
        private void disown(Grant grant, long unused) {
            owners.entrySet()
                    .removeIf(each -> each.getValue() == id
                            && each.getKey() % NUMBERS == grant.worker()
                            && each.getKey() / NUMBERS >= unused);
        }
    }

    private static long key(Grant grant, long time) {
        return time * NUMBERS + grant.worker();
    }

    /** A store as one process sees it, over a network. */
    private final class View implements WorkerStore {

        private final Actor actor;

        private final MemoryStore store;

        View(Actor actor, MemoryStore store) {
            this.actor = actor;
            this.store = store;
        }

        @FunctionalInterface
        private interface Question<T> {

            T ask() throws WorkerStoreException;
        }

        private <T> T read(Question<T> question) throws WorkerStoreException {
            actor.pause(delay());
            T answer = question.ask();
            actor.pause(delay());
            if (actor.dice.nextInt(60) == 0) {
                throw noAnswer();
            }
            return answer;
        }

        private <T> T write(Question<T> question) throws WorkerStoreException {
            int fate = actor.dice.nextInt(40);
            if (fate == 0) {
                at(now + actor.dice.nextLong(3_000), () -> {
                    try {
                        question.ask();
                    } catch (WorkerStoreException e) {
                        throw new IllegalStateException(e);
                    }
                });
                actor.pause(delay());
                throw noAnswer();
            }
            actor.pause(delay());
            T done = question.ask();
            actor.pause(delay());
            if (fate == 1) {
                throw noAnswer();
            }
            return done;
        }

        private long delay() {
            int kind = actor.dice.nextInt(60);
            return kind == 0 ? actor.dice.nextLong(3_000) : actor.dice.nextLong(4);
        }

        private WorkerStoreException noAnswer() {
            return new WorkerStoreException("simulated: no answer", new IllegalStateException("timeout"));
        }

        private @Nullable String seen(@Nullable String record) {
            boolean blind = (fault == Fault.EARLY_START || fault == Fault.ONE_STORE)
                            && (actor.kind == Kind.NEW || actor.kind == Kind.BOTH)
                            && store == next
                    || fault == Fault.NO_FENCE && actor.kind == Kind.OLD;
            return blind && record != null ? record.replaceAll(" state=.*", "") : record;
        }

        @Override
        public StoreSnapshot read(long first, long last) throws WorkerStoreException {
            StoreSnapshot found = read(() -> store.read(first, last));
            long jump = fault == Fault.NO_WAIT && actor.kind == Kind.COMMAND ? actor.dice.nextLong(1_000_000) : 0;
            return new StoreSnapshot(found.rows(), found.storeTime() + jump, seen(found.record()));
        }

        @Override
        public long highest() throws WorkerStoreException {
            return read(store::highest);
        }

        @Override
        public boolean compareAndSet(@Nullable WorkerRow expected, WorkerRow row) throws WorkerStoreException {
            return write(() -> store.compareAndSet(expected, row));
        }

        /** Some stores compare the time when the message is sent, others when it arrives. */
        @Override
        public OptionalLong renew(WorkerRow expected, WorkerRow row, StoreCondition condition)
                throws WorkerStoreException {
            boolean early = actor.dice.nextBoolean();
            if (early && !condition.allows(store.clock().millis())) {
                return OptionalLong.empty();
            }
            return write(() -> {
                String record = store.record(STORE_RECORD).orElse(null);
                if (record == null || !condition.record().equals(seen(record))) {
                    return OptionalLong.empty();
                }
                StoreCondition then = new StoreCondition(
                        record,
                        early ? Long.MIN_VALUE : condition.earliest(),
                        early ? Long.MAX_VALUE : condition.latest());
                return store.renew(expected, row, then);
            });
        }

        @Override
        public Optional<String> record(String name) throws WorkerStoreException {
            return read(() -> store.record(name)).map(this::seen);
        }

        @Override
        public Map<String, String> records() throws WorkerStoreException {
            return read(store::records);
        }

        @Override
        public boolean compareAndSetRecord(String name, @Nullable String expected, String content)
                throws WorkerStoreException {
            String written = switch (fault) {
                case NO_WAIT -> content.replaceAll(" from=\\d+", " from=1");
                case NO_BURNT -> store == next ? content.replaceAll(" burnt=\\S+", "") : content;
                default -> content;
            };
            return write(() -> {
                String record = store.record(name).orElse(null);
                boolean isUnseen =
                        record != null && !record.equals(expected) && expected != null && expected.equals(seen(record));
                return isUnseen
                        ? store.compareAndSetRecord(name, record, written + record.substring(expected.length()))
                        : store.compareAndSetRecord(name, expected, written);
            });
        }

        @Override
        public String label() {
            return store == old ? "old" : "new";
        }

        @Override
        public void close() {}
    }
}
