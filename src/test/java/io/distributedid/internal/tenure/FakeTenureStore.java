package io.distributedid.internal.tenure;

import io.distributedid.IdUnavailableException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A store of a tenure in memory that a test can break. Several clients may share one row. */
public final class FakeTenureStore implements TenureStore {

    /** What happens to the next compare-and-set. */
    public enum Answer {
        GIVEN,
        /** It is done, but the answer is lost. */
        LOST,
        /** It is not done, and there is no answer. */
        LOST_WITH_THE_QUESTION,
        /** It is done later, when {@link Row#arrive} is called, and there is no answer. */
        LATE
    }

    /** What the stores of several clients have in common. */
    public static final class Row {

        private @Nullable TenureRow content;

        private @Nullable TenureRow lateExpected;

        private @Nullable TenureRow lateNext;

        public synchronized @Nullable TenureRow content() {
            return content;
        }

        public synchronized void content(@Nullable TenureRow row) {
            content = row;
        }

        /** The compare-and-set that was late arrives. Returns whether it is done. */
        synchronized boolean arrive() {
            return compareAndSet(lateExpected, Objects.requireNonNull(lateNext));
        }

        synchronized boolean compareAndSet(@Nullable TenureRow expected, TenureRow next) {
            boolean done = Objects.equals(content, expected);
            if (done) {
                content = next;
            }
            return done;
        }
    }

    private final Row row;

    private volatile Answer answer = Answer.GIVEN;

    private volatile boolean down;

    private volatile boolean refused;

    private volatile boolean closed;

    private volatile int reads;

    private volatile int writes;

    private volatile long room = 1_000;

    private volatile Runnable beforeAnswer = () -> {};

    /** A client's view of the row. */
    public FakeTenureStore(Row row) {
        this.row = row;
    }

    public void answer(Answer next) {
        answer = next;
    }

    public void down(boolean now) {
        down = now;
    }

    /** From now on no bound is given. */
    public void refuse(boolean now) {
        refused = now;
    }

    /** How far above the first value the bound lies. */
    public void room(long next) {
        room = next;
    }

    /** What happens between the execution of each call and its answer. */
    public void beforeAnswer(Runnable next) {
        beforeAnswer = next;
    }

    public int reads() {
        return reads;
    }

    public int writes() {
        return writes;
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public @Nullable TenureRow read() throws TenureStoreException {
        requireUp();
        reads++;
        TenureRow found = row.content();
        beforeAnswer.run();
        return found;
    }

    @Override
    public boolean compareAndSet(@Nullable TenureRow expected, TenureRow next) throws TenureStoreException {
        requireUp();
        writes++;
        Answer now = answer;
        answer = Answer.GIVEN;
        if (now == Answer.LATE) {
            synchronized (row) {
                row.lateExpected = expected;
                row.lateNext = next;
            }
        }
        boolean done = (now == Answer.GIVEN || now == Answer.LOST) && row.compareAndSet(expected, next);
        beforeAnswer.run();
        if (now != Answer.GIVEN) {
            throw new TenureStoreException("fake said: connection reset", new IllegalStateException("reset"));
        }
        return done;
    }

    @Override
    public long bound(long from) {
        if (refused) {
            throw new IdUnavailableException("The local clock must be near the store's: fake");
        }
        return from + room;
    }

    private void requireUp() throws TenureStoreException {
        if (down) {
            throw new TenureStoreException("fake said: connection refused", new IllegalStateException("refused"));
        }
    }

    @Override
    public String label() {
        return "fake";
    }

    @Override
    public void close() {
        closed = true;
    }
}
