package io.distributedid.internal.process;

import io.distributedid.AnswersInOrder;
import io.distributedid.Interleavings;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Callers that share requests, in many interleavings. */
@Tag("slow")
@Tag("model")
@Tag("interleavings")
class CombinerInterleavingsTest {

    private static final String KEY = "messages";

    /** Ids of a counter. A request draws from it when it is sent, and is answered when an operation says so. */
    private static class Counter {

        private record Ids(long first, int count) {}

        private record Sent(CompletableFuture<Ids> end, Ids ids) {}

        private final AtomicLong next = new AtomicLong(1);

        private final Queue<Sent> sent = new ArrayDeque<>();

        private boolean isTwoAtATime;

        long draw(int count) {
            return next.getAndAdd(count);
        }

        CompletableFuture<Ids> send(String what, int count) {
            Sent request = new Sent(new CompletableFuture<>(), new Ids(draw(count), count));
            synchronized (sent) {
                isTwoAtATime |= !sent.isEmpty();
                sent.add(request);
            }
            return request.end;
        }

        void answer(boolean isGood) {
            Sent request;
            synchronized (sent) {
                request = sent.poll();
            }
            if (request != null && isGood) {
                request.end.complete(request.ids);
            } else if (request != null) {
                request.end.completeExceptionally(new IllegalStateException("down"));
            }
        }

        boolean isWaiting() {
            synchronized (sent) {
                return !sent.isEmpty();
            }
        }
    }

    /** Draws the ids of the next request at the end of a request. */
    private static final class EarlyCounter extends Counter {

        private final AtomicLong drawn = new AtomicLong(super.draw(10));

        @Override
        long draw(int count) {
            return drawn.getAndSet(super.draw(10));
        }
    }

    /** Two threads that come, give up, answer and fail. Another process takes ids, too. */
    public static class Callers {

        private final AnswersInOrder answers = new AnswersInOrder();

        private final Counter counter;

        private final Combiner<String, Counter.Ids> combiner;

        private final AtomicLong open = new AtomicLong();

        private final AtomicReference<AssertionError> wrong = new AtomicReference<>();

        public Callers() {
            this(new Counter());
        }

        Callers(Counter counter) {
            this.counter = counter;
            combiner = new Combiner<>(counter::send, () -> 3, Counter.Ids::count, failure -> false);
        }

        @Operation
        public void one() {
            add(1);
        }

        @Operation
        public void two() {
            add(2);
        }

        /** Its ids, if it gets some after all, are a gap. */
        @Operation
        public void impatient() {
            boolean unused = combiner.add(KEY, 1).cancel(false);
        }

        @Operation
        public void elsewhere() {
            answers.raise(counter.next.getAndIncrement());
        }

        @Operation
        public void answer() {
            counter.answer(true);
        }

        @Operation
        public void fail() {
            counter.answer(false);
        }

        private void add(int count) {
            long begun = answers.begin();
            open.incrementAndGet();
            CompletableFuture<?> unused = combiner.add(KEY, count).whenComplete((share, failure) -> {
                open.decrementAndGet();
                if (share != null) {
                    note(begun, share.answer().first() + share.offset(), count);
                }
            });
        }

        /** A future would hide the error. */
        private void note(long begun, long first, int count) {
            try {
                answers.end(begun, first, count);
            } catch (AssertionError e) {
                wrong.set(e);
            }
        }

        @Validate
        public void everyCallerIsAnsweredAtLast() {
            AssertionError found = wrong.get();
            if (found != null) {
                throw found;
            }
            if (counter.isTwoAtATime) {
                throw new AssertionError("Two requests were under way");
            }
            while (counter.isWaiting()) {
                counter.answer(false);
            }
            if (open.get() != 0) {
                throw new AssertionError("Callers that still wait: " + open.get());
            }
        }
    }

    @Test
    void noIdIsGivenTwiceAndEachComesFromARequestThatBeganLaterThanItsCaller() {
        Interleavings.check(Callers.class, 30);
    }

    /** The same with ids that were drawn before their callers came. */
    public static final class EarlyCallers extends Callers {

        public EarlyCallers() {
            super(new EarlyCounter());
        }
    }

    @Test
    void anIdThatWasDrawnBeforeItsCallerCameIsFound() {
        Interleavings.assertFound(EarlyCallers.class, "which was given before the call began");
    }
}
