package io.distributedid.internal.process;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Lets callers of the same thing share requests. One request for a thing is under way at a time. When it has ended, the
 * next one is for all who came since, and they divide its answer in the order of their arrival.
 *
 * <p>So every request began after each of its callers had come: what it gives is greater than all that calls which had
 * ended before were given. A caller that has cancelled its share is in no later request; what it perhaps got is a gap.
 * Thread-safe, and has no thread: requests are sent by the callers that find none under way, and by the ends of others.
 *
 * @param <K> a thing
 * @param <A> the answer of a request
 */
public final class Combiner<K, A> {

    /**
     * A caller's part of an answer: as many items as it asked for.
     *
     * @param offset how many items belong to the callers before it
     */
    public record Share<A>(A answer, int offset) {}

    private record Caller<A>(int count, CompletableFuture<Share<A>> share) {}

    /** Who waits for the end of the request that is under way. */
    private static final class Line<A> {

        private final Deque<Caller<A>> waiting = new ArrayDeque<>();

        /** How many of the first have a request each. */
        private int alone;
    }

    private final BiFunction<K, Integer, CompletableFuture<A>> request;

    private final IntSupplier most;

    private final ToIntFunction<A> size;

    private final Predicate<Throwable> isTooMany;

    private final ReentrantLock lock = new ReentrantLock();

    /** Of the things of which a request is under way. Guarded by the lock. */
    private final Map<K, Line<A>> lines = new HashMap<>();

    /** Guarded by the lock. */
    private boolean closed;

    /**
     * @param request asks for so many items, without waiting. The answer has fewer only if no more are given at a time
     * @param most how many items a request may ask for. A caller that wants more has a request of its own
     * @param size how many items an answer has
     * @param isTooMany whether a request for fewer items may succeed: then each caller of the failed one has its own
     */
    public Combiner(
            BiFunction<K, Integer, CompletableFuture<A>> request,
            IntSupplier most,
            ToIntFunction<A> size,
            Predicate<Throwable> isTooMany) {
        this.request = request;
        this.most = most;
        this.size = size;
        this.isTooMany = isTooMany;
    }

    /**
     * Asks for items of a thing, 0 to read only. Does not wait.
     *
     * @return fails as the request does: with an exception that its callers share, and a {@link CancellationException}
     *     after {@link #close}. A caller that gives up cancels it
     */
    public CompletableFuture<Share<A>> add(K what, int count) {
        Caller<A> caller = new Caller<>(count, new CompletableFuture<>());
        boolean isFirst;
        lock.lock();
        try {
            if (closed) {
                return CompletableFuture.failedFuture(new CancellationException());
            }
            isFirst = !lines.containsKey(what);
            lines.computeIfAbsent(what, each -> new Line<>()).waiting.add(caller);
        } finally {
            lock.unlock();
        }
        if (isFirst) {
            serve(what);
        }
        return caller.share;
    }

    /** Sends requests until one is under way, or nobody waits. */
    private void serve(K what) {
        for (List<Caller<A>> group = next(what); !group.isEmpty(); group = next(what)) {
            List<Caller<A>> callers = group;
            CompletableFuture<A> ended =
                    send(what, callers).whenComplete((items, failure) -> end(what, callers, items, failure));
            if (!ended.isDone()) {
                CompletableFuture<A> unused = ended.whenComplete((items, failure) -> serve(what));
                return;
            }
        }
    }

    private CompletableFuture<A> send(K what, List<Caller<A>> group) {
        try {
            return request.apply(what, group.stream().mapToInt(Caller::count).sum());
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Those that share the next request. If there are none, no request is under way from now on. */
    private List<Caller<A>> next(K what) {
        List<Caller<A>> group = new ArrayList<>();
        lock.lock();
        try {
            Line<A> line = line(what);
            int sum = 0;
            for (Iterator<Caller<A>> all = line.waiting.iterator(); all.hasNext(); ) {
                Caller<A> next = all.next();
                boolean isLeft = next.share.isDone();
                if (!isLeft && !group.isEmpty() && (line.alone > 0 || sum + next.count > most.getAsInt())) {
                    break;
                }
                all.remove();
                if (!isLeft) {
                    group.add(next);
                    sum += next.count;
                }
            }
            line.alone = Math.max(0, line.alone - 1);
            if (group.isEmpty()) {
                lines.remove(what);
            }
        } finally {
            lock.unlock();
        }
        return group;
    }

    private Line<A> line(K what) {
        return Objects.requireNonNull(lines.get(what));
    }

    private void end(K what, List<Caller<A>> group, @Nullable A items, @Nullable Throwable failure) {
        if (items != null) {
            divide(what, group, items);
        } else if (group.size() > 1 && failure != null && isTooMany.test(failure)) {
            putBack(what, group, group.size());
        } else {
            Throwable reason = failure == null ? new IllegalStateException("no answer") : failure;
            group.forEach(each -> each.share.completeExceptionally(reason));
        }
    }

    private void divide(K what, List<Caller<A>> group, A items) {
        int given = size.applyAsInt(items);
        int offset = 0;
        for (int i = 0; i < group.size(); i++) {
            Caller<A> each = group.get(i);
            if (i > 0 && offset + each.count > given) {
                putBack(what, group.subList(i, group.size()), 0);
                return;
            }
            each.share.complete(new Share<>(items, offset));
            offset += each.count;
        }
    }

    /** They come before all who have come since. */
    private void putBack(K what, List<Caller<A>> group, int alone) {
        lock.lock();
        try {
            if (!closed) {
                Line<A> line = line(what);
                for (int i = group.size() - 1; i >= 0; i--) {
                    line.waiting.addFirst(group.get(i));
                }
                line.alone = alone;
                return;
            }
        } finally {
            lock.unlock();
        }
        group.forEach(each -> each.share.completeExceptionally(new CancellationException()));
    }

    /** Refuses callers from now on, and ends those that wait for the end of another request. */
    public void close() {
        List<Caller<A>> waiting = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            lines.values().forEach(line -> {
                waiting.addAll(line.waiting);
                line.waiting.clear();
            });
        } finally {
            lock.unlock();
        }
        waiting.forEach(each -> each.share.completeExceptionally(new CancellationException()));
    }
}
