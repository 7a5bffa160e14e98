package io.distributedid.internal.keyed.served;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.keyed.source.KeyHash;
import io.distributedid.internal.keyed.source.SectionTable;
import io.distributedid.internal.lease.LeaseLoop;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Pending;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The calls for the keys of one sequence. Most are answered from memory. The others wait without a thread for what the
 * {@link LeaseLoop} learns. Thread-safe.
 */
final class SectionOwner {

    private final List<Section> sections;

    private final SectionClient client;

    private final LeaseLoop loop;

    private final SectionOptions options;

    private final SectionRows rows;

    private final String formerAddress;

    private final Platform platform;

    private final Queue<Call> waiting = new ConcurrentLinkedQueue<>();

    /** When a call first met a row from before the last suspend, by {@link Platform#nanoTime}; null before. */
    private volatile @Nullable Long formerMet;

    /**
     * @param memory for the keys of all sections
     * @param outages of the store
     * @param formerAddress of this process, before the last suspend; empty if there was none
     */
    SectionOwner(
            SectionRows rows,
            SectionOptions options,
            KeyMemory memory,
            OutageLog outages,
            String formerAddress,
            Platform platform) {
        this.rows = rows;
        this.options = options;
        this.formerAddress = formerAddress;
        this.platform = platform;
        sections = Stream.generate(() -> new Section(options.protocol(), memory, platform, this::want))
                .limit(options.sections())
                .toList();
        client = new SectionClient(rows, options, sections, memory, platform, this::serve);
        loop = new LeaseLoop(client, rows.where(), outages, platform, this::serve);
    }

    private void want() {
        loop.want();
    }

    /**
     * A call for a key.
     *
     * @param number of the key, as sections know it
     * @param count of the numbers to take; 0 to read the last one
     * @param timeout for which it may wait
     * @param reason why the last attempt gave no number
     */
    private record Call(
            String key,
            long number,
            int section,
            int count,
            Duration timeout,
            AtomicLong reason,
            CompletableFuture<Long> answer) {

        boolean refuse(DistributedIdException why) {
            return answer.completeExceptionally(why);
        }
    }

    /** The last of the numbers that were taken, or of the key. */
    Pending<Long> ask(String key, int count, Duration timeout) {
        loop.keepRunning();
        long number = KeyHash.number(key);
        int section = KeyHash.section(number, sections.size());
        Call own = new Call(
                key, number, section, count, timeout, new AtomicLong(Section.NOT_OWNED), new CompletableFuture<>());
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
    private boolean serve(Call own) {
        if (own.answer.isDone()) {
            return true;
        }
        if (loop.isEnded()) {
            return own.refuse(new IdUnavailableException("The source of numbers is closed: " + named(own)));
        }
        try {
            Section section = sections.get(own.section);
            long last = own.count == 0 ? section.current(own.number) : section.next(own.number, own.count);
            if (last >= 0) {
                return own.answer.complete(last);
            }
            own.reason.set(last);
            requireHope(own, section);
            return false;
        } catch (DistributedIdException e) {
            return own.refuse(e);
        } catch (RuntimeException | Error e) {
            // Such as no memory for its key. Renewals go on.
            return own.refuse(new IdUnavailableException("A number could not be taken: " + named(own), e));
        }
    }

    /** The caller's time is over. */
    private void end(Call own) {
        waiting.remove(own);
        if (!own.answer.isDone()) {
            boolean unused = own.refuse(late(own, loop.failure()));
        }
    }

    /** During a long outage callers do not wait: the thread goes on trying. */
    private void requireHope(Call call, Section section) {
        section.exhausted().ifPresent(why -> {
            throw new IdUnavailableException("No number can be issued: " + named(call) + ". " + why);
        });
        LeaseLoop.Failure failure = loop.failure();
        if (failure != null) {
            if (failure.cause() instanceof IdConfigurationException cause) {
                throw new IdConfigurationException(String.valueOf(cause.getMessage()), cause);
            }
            if (platform.nanoTime() - failure.since() > call.timeout.toNanos()) {
                throw late(call, failure);
            }
        }
        if (call.reason.get() == Section.NOT_OWNED) {
            // The thread finds by itself when it may claim the section.
            requireNoOther(call);
        }
    }

    private Optional<String> owner(Call call) {
        return client.table().flatMap(table -> table.owners().get(call.section));
    }

    private void requireNoOther(Call call) {
        Optional<String> owner = owner(call);
        if (owner.isPresent() && !owner.get().equals(options.address()) && !isOver(owner.get())) {
            throw new IdStandbyException(
                    "Another process gives the numbers of this key: " + named(call) + " section=" + call.section
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

    private IdUnavailableException late(Call call, LeaseLoop.@Nullable Failure failure) {
        String what = "No number can be issued: " + named(call) + ", " + why(call);
        String row = Pages.onCall("keyed-late");
        return failure == null
                ? new IdUnavailableException(what + ", after " + call.timeout.toMillis() + " ms" + row)
                : new IdUnavailableException(Pages.withOneRow(what + ". " + message(failure) + row), failure.cause());
    }

    private String message(LeaseLoop.Failure failure) {
        return (failure.cause() instanceof SQLException ? rows.store() + " said: " : "") + failure.message();
    }

    private String why(Call call) {
        long reason = call.reason.get();
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
                        + " is the address of another process, which owns its section. That process may have ended, but"
                        + " its lease has not. If it runs, give each process an address of its own")
                .orElse("no process owns its section yet");
    }

    private String named(Call call) {
        return "seq=" + rows.sequence() + " key=" + call.key;
    }

    Optional<SectionTable> table() {
        loop.keepRunning();
        return client.table();
    }

    /** Refuses calls from now on, and ends all waits. Does not wait. */
    void stop() {
        loop.stop();
    }

    /** Ends without a word to the store: a copy of this process may go on with the sections. */
    void abandon() {
        loop.stop();
        client.forget();
        loop.abandon();
    }

    /** Hands all sections over, if that succeeds within the time; else they are free once their lease is over. */
    void close(Duration timeout) {
        loop.close(timeout, client::leave);
        client.forget();
    }
}
