package io.distributedid.internal.keyed.served;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.keyed.source.SectionTable;
import io.distributedid.internal.process.Pending;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The calls for the keys of one sequence. Most are answered from memory. The others wait without a thread for what the
 * {@link SectionLoop} learns. Thread-safe.
 */
final class SectionOwner {

    private final SectionLoop loop;

    private final SectionOptions options;

    private final String sequence;

    private final String store;

    private final String formerAddress;

    private final Platform platform;

    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();

    /** When a call first met a row from before the last suspend, by {@link Platform#nanoTime}; null before. */
    private volatile @Nullable Long formerMet;

    /**
     * @param loops makes the loop; its argument is to be called when calls may be answered
     * @param store its name in messages
     * @param formerAddress of this process, before the last suspend; empty if there was none
     */
    SectionOwner(
            Function<Runnable, SectionLoop> loops,
            SectionOptions options,
            String sequence,
            String store,
            String formerAddress,
            Platform platform) {
        this.loop = loops.apply(this::serve);
        this.options = options;
        this.sequence = sequence;
        this.store = store;
        this.formerAddress = formerAddress;
        this.platform = platform;
    }

    /** A call that waits. */
    private record Waiting(SectionCall call, CompletableFuture<Long> answer) {}

    /** The last of the numbers that were taken, or of the key. */
    Pending<Long> ask(String key, int count, long began, Duration timeout) {
        loop.keepRunning();
        SectionCall call = SectionCall.of(key, count, options.sections(), began, timeout);
        Waiting own = new Waiting(call, new CompletableFuture<>());
        if (!serve(own)) {
            waiting.add(own);
            loop.want();
            // What the thread has learnt before may answer it; what it learns from now on will.
            boolean unused = serve(own);
        }
        return new Pending<>(own.answer, () -> end(own));
    }

    /** Answers all who can be answered or refused now. */
    private void serve() {
        waiting.removeIf(this::serve);
    }

    /** Returns whether it needs no more. */
    private boolean serve(Waiting own) {
        if (own.answer.isDone()) {
            return true;
        }
        if (loop.isEnded()) {
            return refuse(own, new IdUnavailableException("The source of numbers is closed: " + named(own.call)));
        }
        try {
            long last = attempt(own.call);
            if (last >= 0) {
                return own.answer.complete(last);
            }
            requireHope(own.call, last);
            return false;
        } catch (DistributedIdException e) {
            return refuse(own, e);
        } catch (RuntimeException | Error e) {
            // Such as no memory for its key. Renewals go on.
            return refuse(own, new IdUnavailableException("A number could not be taken: " + named(own.call), e));
        }
    }

    private static boolean refuse(Waiting own, DistributedIdException why) {
        return own.answer.completeExceptionally(why);
    }

    private long attempt(SectionCall call) {
        Section section = loop.section(call.section());
        return call.isRead() ? section.current(call.number()) : section.next(call.number(), call.count());
    }

    /** The caller's time is over. */
    private void end(Waiting own) {
        waiting.remove(own);
        if (!own.answer.isDone()) {
            boolean unused = refuse(own, late(own.call, why(own.call, Section.NOT_OWNED), loop.failure()));
        }
    }

    private void requireHope(SectionCall call, long reason) {
        String trouble = loop.trouble(call.section());
        if (trouble != null) {
            throw new IdUnavailableException("No number can be issued: " + named(call) + ". " + trouble);
        }
        requireTime(call, why(call, reason));
        if (reason == Section.NOT_OWNED) {
            // The thread finds by itself when it may claim the section.
            requireNoOther(call);
        }
    }

    private Optional<String> owner(SectionCall call) {
        return loop.table().flatMap(table -> table.owners().get(call.section()));
    }

    private void requireNoOther(SectionCall call) {
        Optional<String> owner = owner(call);
        if (owner.isPresent() && !owner.get().equals(options.address()) && !isOver(owner.get())) {
            throw new IdStandbyException(
                    "Another process gives the numbers of this key: " + named(call) + " section=" + call.section()
                            + " owner=" + owner.get() + ". Ask that process",
                    owner.get());
        }
    }

    /**
     * Whether it is a row from before the last suspend. Its lease ends soon, unless a copy of this process renews it.
     */
    private boolean isOver(String owner) {
        if (!owner.equals(formerAddress)) {
            return false;
        }
        Long met = formerMet;
        long now = platform.nanoTime();
        if (met == null) {
            formerMet = now;
            return true;
        }
        return now - met < 2 * options.lease().toNanos();
    }

    /** During a long outage callers do not wait: the thread goes on trying. */
    private void requireTime(SectionCall call, String why) {
        StoreFailures.Failure failure = loop.failure();
        @Nullable Throwable cause = failure == null ? null : failure.cause();
        if (cause instanceof IdConfigurationException) {
            throw new IdConfigurationException(String.valueOf(cause.getMessage()), cause);
        }
        long now = platform.nanoTime();
        boolean isLong =
                failure != null && now - failure.since() > call.timeout().toNanos();
        if (call.left(now) <= 0 || isLong) {
            throw late(call, why, failure);
        }
    }

    private IdUnavailableException late(SectionCall call, String why, StoreFailures.@Nullable Failure failure) {
        String what = "No number can be issued: " + named(call) + ", " + why;
        return failure == null
                ? new IdUnavailableException(what + ", after " + call.timeout().toMillis() + " ms")
                : new IdUnavailableException(what + ". " + message(failure.cause()), failure.cause());
    }

    private String message(Throwable cause) {
        if (cause instanceof SQLException) {
            return store + " said: " + FailureText.of(cause);
        }
        return cause instanceof DistributedIdException ? String.valueOf(cause.getMessage()) : cause.toString();
    }

    private String why(SectionCall call, long reason) {
        if (reason == Section.LEASE_OVER) {
            return "the lease of its section is over, and is not renewed yet";
        }
        if (reason == Section.ABOVE_MAX) {
            return "the number of its section's row is not raised yet";
        }
        if (reason == Section.KEYS_FULL) {
            return "there is no memory for its key yet (distributedid.keyed.section.memory)";
        }
        return owner(call)
                .filter(options.address()::equals)
                .map(address -> "distributedid.keyed.section.address=" + address
                        + " is the address of the process that owns its section, which is another one. It may have"
                        + " ended, and its lease not yet. If it runs, give each process an address of its own")
                .orElse("no process owns its section yet");
    }

    private String named(SectionCall call) {
        return "seq=" + sequence + " key=" + call.key();
    }

    Optional<SectionTable> table() {
        loop.keepRunning();
        return loop.table();
    }

    SectionLoop loop() {
        return loop;
    }
}
