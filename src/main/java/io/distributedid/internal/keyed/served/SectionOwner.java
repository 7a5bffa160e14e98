package io.distributedid.internal.keyed.served;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.keyed.source.SectionTable;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The calls for the keys of one sequence. Most are answered from memory, without a lock. The others wait for what the
 * {@link SectionLoop} learns, up to their timeout. Thread-safe.
 */
final class SectionOwner {

    private final SectionLoop loop;

    private final SectionOptions options;

    private final String sequence;

    private final String store;

    private final String formerAddress;

    private final Platform platform;

    /** When a call first met a row from before the last suspend, by {@link Platform#nanoTime}; null before. */
    private volatile @Nullable Long formerMet;

    /**
     * @param store its name in messages
     * @param formerAddress of this process, before the last suspend; empty if there was none
     */
    SectionOwner(
            SectionLoop loop,
            SectionOptions options,
            String sequence,
            String store,
            String formerAddress,
            Platform platform) {
        this.loop = loop;
        this.options = options;
        this.sequence = sequence;
        this.store = store;
        this.formerAddress = formerAddress;
        this.platform = platform;
    }

    /** The last of the numbers that were taken, or of the key. */
    long answer(String key, int count, long began, Duration timeout) {
        loop.keepRunning();
        SectionCall call = SectionCall.of(key, count, options.sections(), began, timeout);
        long last = atOnce(call);
        return last >= 0 ? last : waited(call);
    }

    /** As {@link #answer}, if that needs no wait. */
    OptionalLong answerAtOnce(String key, int count) {
        loop.keepRunning();
        long last = atOnce(SectionCall.of(key, count, options.sections(), 0, Duration.ZERO));
        return last >= 0 ? OptionalLong.of(last) : OptionalLong.empty();
    }

    private long atOnce(SectionCall call) {
        return loop.isEnded() ? Section.NOT_OWNED : attempt(call);
    }

    private long attempt(SectionCall call) {
        Section section = loop.section(call.section());
        return call.isRead() ? section.current(call.number()) : section.next(call.number(), call.count());
    }

    private long waited(SectionCall call) {
        try (SectionLoop.Locked locked = loop.lock()) {
            while (true) {
                if (loop.isEnded()) {
                    throw new IdUnavailableException("The source of numbers is closed: " + named(call));
                }
                long last = attempt(call);
                if (last >= 0) {
                    return last;
                }
                requireHope(locked, call, last);
                locked.await(call.left(platform.nanoTime()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while waiting for a number: " + named(call), e);
        }
    }

    private void requireHope(SectionLoop.Locked locked, SectionCall call, long reason) {
        String trouble = locked.trouble(call.section());
        if (trouble != null) {
            throw new IdUnavailableException("No number can be issued: " + named(call) + ". " + trouble);
        }
        requireTime(locked, call, why(call, reason));
        if (reason == Section.NOT_OWNED) {
            // The thread finds by itself when it may claim the section.
            requireNoOther(call);
        } else {
            locked.want();
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
    private void requireTime(SectionLoop.Locked locked, SectionCall call, String why) {
        StoreFailures.Failure failure = locked.failure();
        @Nullable Throwable cause = failure == null ? null : failure.cause();
        if (cause instanceof IdConfigurationException) {
            throw new IdConfigurationException(String.valueOf(cause.getMessage()), cause);
        }
        boolean isLong = failure != null
                && platform.nanoTime() - failure.since() > call.timeout().toNanos();
        if (call.left(platform.nanoTime()) > 0 && !isLong) {
            return;
        }
        String what = "No number can be issued: " + named(call) + ", " + why;
        throw failure == null
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
