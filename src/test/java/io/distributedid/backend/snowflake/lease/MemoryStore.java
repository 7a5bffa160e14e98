package io.distributedid.backend.snowflake.lease;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A store in memory that a test can break. */
final class MemoryStore implements WorkerStore {

    /** What happens to a compare-and-set. */
    enum Answer {
        GIVEN,
        /** It is done, but the answer is lost. */
        LOST,
        /** It is not done, and there is no answer. */
        LOST_WITH_THE_QUESTION,
        /** There is no answer. It is done just before the next compare-and-set, if it still can be. */
        LATE,
        /** Somebody else is always faster. */
        REFUSED
    }

    private final TreeMap<Long, WorkerRow> rows = new TreeMap<>();

    private final Map<String, String> records = new HashMap<>();

    private final InstantSource clock;

    private volatile boolean down;

    private final AtomicInteger refusals = new AtomicInteger();

    private volatile boolean closed;

    private volatile CountDownLatch hangs = new CountDownLatch(0);

    private final CountDownLatch called = new CountDownLatch(1);

    private volatile Answer answer = Answer.GIVEN;

    private volatile Answer answerOfRecord = Answer.GIVEN;

    private Runnable late = () -> {};

    private volatile int reads;

    private volatile boolean renews = true;

    private volatile boolean repeats;

    private volatile @Nullable Throwable breaksWith;

    private volatile @Nullable Thread reader;

    /** @param clock the store's */
    MemoryStore(InstantSource clock) {
        this.clock = clock;
    }

    /** Whether it can renew a row in one step. */
    void renewsInOneStep(boolean now) {
        renews = now;
    }

    /** From now on each renewal arrives twice, as from a proxy whose connection broke. */
    void repeatsRenewals() {
        repeats = true;
    }

    InstantSource clock() {
        return clock;
    }

    void down(boolean now) {
        down = now;
    }

    /** From now on no call is answered until the latch is counted down. */
    CountDownLatch hang() {
        CountDownLatch answers = new CountDownLatch(1);
        hangs = answers;
        return answers;
    }

    /** Returns once a call hangs. */
    void awaitCaller() throws InterruptedException {
        called.await();
    }

    /** From now on each call throws it; null ends that. */
    void breaksWith(@Nullable Throwable failure) {
        breaksWith = failure;
    }

    /** The thread that has read last. */
    @Nullable
    Thread reader() {
        return reader;
    }

    void answer(Answer next) {
        answer = next;
    }

    /** What happens to the next compare-and-set of a record. */
    void answerOfRecord(Answer next) {
        answerOfRecord = next;
    }

    /** How often it was asked for rows, or to renew one. */
    int reads() {
        return reads;
    }

    /** How many calls have failed since the store was {@link #down}. */
    int refusals() {
        return refusals.get();
    }

    boolean isClosed() {
        return closed;
    }

    synchronized void put(WorkerRow row) {
        rows.put(row.worker(), row);
    }

    synchronized void forget() {
        rows.clear();
        records.clear();
    }

    synchronized boolean hasRecord() {
        return records.containsKey(STORE_RECORD);
    }

    synchronized void forgetRecord(String name) {
        records.remove(name);
    }

    synchronized void forgetRows() {
        rows.clear();
    }

    synchronized @Nullable WorkerRow row(long worker) {
        return rows.get(worker);
    }

    @Override
    public synchronized StoreSnapshot read(long first, long last) throws WorkerStoreException {
        reader = Thread.currentThread();
        requireUp();
        reads++;
        return new StoreSnapshot(
                List.copyOf(rows.subMap(first, true, last, true).values()), clock.millis(), records.get(STORE_RECORD));
    }

    @Override
    public synchronized long highest() throws WorkerStoreException {
        requireUp();
        return rows.isEmpty() ? -1 : rows.lastKey();
    }

    @Override
    public synchronized OptionalLong renew(WorkerRow expected, WorkerRow next, StoreCondition condition)
            throws WorkerStoreException {
        reader = Thread.currentThread();
        requireUp();
        reads++;
        long time = clock.millis();
        boolean met = renews && condition.record().equals(records.get(STORE_RECORD)) && condition.allows(time);
        if (repeats && met) {
            boolean unused = compareAndSet(expected, next);
        }
        return met && compareAndSet(expected, next) ? OptionalLong.of(time) : OptionalLong.empty();
    }

    @Override
    public synchronized boolean compareAndSet(@Nullable WorkerRow expected, WorkerRow next)
            throws WorkerStoreException {
        requireUp();
        late.run();
        late = () -> {};
        WorkerRow row = rows.get(next.worker());
        boolean done = row == null ? expected == null : row.equals(expected);
        if (answer == Answer.REFUSED) {
            return false;
        }
        if (answer == Answer.LATE) {
            late = () -> rows.compute(next.worker(), (worker, now) -> Objects.equals(now, expected) ? next : now);
        } else if (done && answer != Answer.LOST_WITH_THE_QUESTION) {
            rows.put(next.worker(), next);
        }
        if (answer != Answer.GIVEN) {
            answer = Answer.GIVEN;
            throw noAnswer();
        }
        return done;
    }

    @Override
    public synchronized Optional<String> record(String name) throws WorkerStoreException {
        requireUp();
        return Optional.ofNullable(records.get(name));
    }

    @Override
    public synchronized Map<String, String> records() throws WorkerStoreException {
        requireUp();
        return Map.copyOf(records);
    }

    @Override
    public synchronized boolean compareAndSetRecord(String name, @Nullable String expected, String next)
            throws WorkerStoreException {
        requireUp();
        Answer now = answerOfRecord;
        answerOfRecord = Answer.GIVEN;
        boolean done = Objects.equals(records.get(name), expected) && now != Answer.REFUSED;
        if (done && now != Answer.LOST_WITH_THE_QUESTION) {
            records.put(name, next);
        }
        if (now == Answer.LOST || now == Answer.LOST_WITH_THE_QUESTION) {
            throw noAnswer();
        }
        return done;
    }

    private static WorkerStoreException noAnswer() {
        return new WorkerStoreException("memory said: connection reset", new IllegalStateException("connection reset"));
    }

    private void requireUp() throws WorkerStoreException {
        if (hangs.getCount() > 0) {
            called.countDown();
            try {
                hangs.await();
            } catch (InterruptedException e) {
                throw new WorkerStoreException("interrupted", e);
            }
        }
        Throwable failure = breaksWith;
        if (failure != null) {
            MemoryStore.<RuntimeException>sneak(failure);
        }
        if (down) {
            refusals.incrementAndGet();
            throw new WorkerStoreException("memory said: connection refused", new IllegalStateException("refused"));
        }
    }

    /** Whatever it is, declared or not. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable failure) throws E {
        throw (E) failure;
    }

    @Override
    public String label() {
        return "memory";
    }

    @Override
    public void close() {
        closed = true;
    }
}
