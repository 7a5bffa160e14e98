package io.distributedid.server;

import io.distributedid.DistributedIdSettings;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdHealth;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.http.ServiceAddress;
import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.keyed.source.SectionTable;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A sequence of which the server gives numbers per key. Numbers that are in memory are given on the event loop at once;
 * otherwise the request waits with others of its sequence. Thread-safe.
 */
final class ServedKeys implements Served {

    /** How many requests are served at a time. Those for one key share a trip to its database. */
    static final int WORKERS = 32;

    /** Any key; reading it tells whether the sequence can be used. */
    private static final String PROBE = "0";

    private final String name;

    private final KeyedNumbers numbers;

    private final Failures failures;

    private final WaitingRequests<KeyedNumbers> waiting;

    private final LongAdder issued = new LongAdder();

    private volatile boolean isOpen;

    /** Why the last request that waited got no number; empty if it got one. */
    private volatile String failure = "";

    ServedKeys(
            String name,
            DistributedIds ids,
            Failures failures,
            Workers workers,
            AtomicInteger allWaiting,
            int mostWaiting) {
        this.name = name;
        // DistributedIds makes no other.
        this.numbers = (KeyedNumbers) ids.keyed(name);
        this.failures = failures;
        waiting = new WaitingRequests<>(this::opened, workers, WORKERS, allWaiting, mostWaiting);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isOpen() {
        return isOpen;
    }

    @Override
    public void open() {
        if (!isOpen) {
            try {
                long unused = numbers.current(PROBE);
            } catch (IdStandbyException e) {
                // Another server has this key, and this one knows which.
            }
            numbers.table().ifPresent(this::requireAddress);
            isOpen = true;
        }
    }

    /** Otherwise no caller could be sent here. */
    private void requireAddress(SectionTable table) {
        String member = table.member();
        if (!member.isEmpty() && ServiceAddress.parse(member).isEmpty()) {
            throw new IdConfigurationException("Callers must be able to reach the server that has a key: seq=" + name
                    + " " + DistributedIdSettings.KEYED_SECTION_ADDRESS + "=" + member
                    + ", allowed: an http or https address without path. Set it to the server's own, as in"
                    + " https://ids1:8443");
        }
    }

    private KeyedNumbers opened() {
        open();
        return numbers;
    }

    /** A text as a key, refused if it is none. */
    String key(String text) {
        try {
            return numbers.key(text);
        } catch (IllegalArgumentException e) {
            throw new Problem(ProblemType.INVALID_PARAMETER, failures.message(e)).refusal();
        }
    }

    /** Which server gives the numbers of which keys; empty if each gives all. */
    Optional<SectionTable> table() {
        return numbers.table();
    }

    /**
     * Takes numbers, and charges the caller's quota.
     *
     * @param redirects how often this request was sent to another server already
     * @param then given the last of them on the request's event loop
     */
    void take(Exchange exchange, String key, int count, int redirects, Consumer<Long> then) {
        exchange.requireOwnPage();
        exchange.caller().requireQuota();
        Consumer<Long> charged = last -> {
            issued.add(count);
            exchange.caller().charge(count);
            then.accept(last);
        };
        OptionalLong fromMemory = isOpen ? numbers.tryLast(key, count) : OptionalLong.empty();
        if (fromMemory.isPresent()) {
            charged.accept(fromMemory.getAsLong());
        } else {
            wait(exchange, key, redirects, opened -> opened.last(key, count), charged);
        }
    }

    /** Reads the last number of a key. */
    void current(Exchange exchange, String key, int redirects, Consumer<Long> then) {
        wait(exchange, key, redirects, opened -> opened.current(key), then);
    }

    private void wait(
            Exchange exchange, String key, int redirects, Function<KeyedNumbers, Long> work, Consumer<Long> then) {
        waiting.add(exchange, key, opened -> run(exchange, redirects, () -> work.apply(opened)), then);
    }

    private long run(Exchange exchange, int redirects, Supplier<Long> work) {
        try {
            long number = work.get();
            failure = "";
            return number;
        } catch (IdStandbyException e) {
            String target = exchange.request().path() + "?" + exchange.request().query();
            throw KeyRedirect.problem(target, failures.message(e), e.active(), redirects, table())
                    .refusal();
        } catch (IdConfigurationException e) {
            throw new Problem(ProblemType.NO_NUMBERS, failures.message(e)).refusal();
        } catch (IdUnavailableException e) {
            failure = failures.message(e);
            throw e;
        }
    }

    /** Numbers that were given. */
    long issued() {
        return issued.sum();
    }

    /** {@code DEGRADED} if some keys have no numbers now. */
    IdHealth.Status status() {
        if (!isOpen) {
            return IdHealth.Status.DOWN;
        }
        return failure.isEmpty() ? IdHealth.Status.UP : IdHealth.Status.DEGRADED;
    }

    /** Why it is not up; empty if it is. */
    String reason() {
        return isOpen ? failure : HealthOperations.NOT_OPEN;
    }
}
