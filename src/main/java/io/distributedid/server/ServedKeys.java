package io.distributedid.server;

import io.distributedid.DistributedIdException;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdHealth;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.keyed.source.SectionTable;
import io.distributedid.internal.service.HttpFailures;
import io.distributedid.internal.service.ServiceAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A sequence of which the server gives numbers per key. A request waits without a thread, so that one whose database
 * does not answer delays no other. Where a wait needs a thread, the request waits with others of its sequence.
 * Thread-safe.
 */
final class ServedKeys implements Served {

    /** How many requests wait on a thread at a time. */
    static final int WORKERS = 32;

    private final String name;

    private final KeyedNumbers numbers;

    private final Failures failures;

    private final WaitingRequests<KeyedNumbers> waiting;

    private final PendingRequests pending;

    private final LongAdder issued = new LongAdder();

    private final KeyedHealth health;

    private volatile boolean isOpen;

    ServedKeys(
            String name,
            DistributedIds ids,
            Failures failures,
            Workers workers,
            int mostWorkers,
            AtomicInteger allWaiting,
            int mostWaiting) {
        this.name = name;
        // DistributedIds makes no other.
        this.numbers = (KeyedNumbers) ids.keyed(name);
        this.failures = failures;
        health = new KeyedHealth(numbers, failures);
        waiting = new WaitingRequests<>(this::opened, workers, mostWorkers, allWaiting, mostWaiting);
        pending = new PendingRequests(allWaiting, mostWaiting);
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
            // One place that answers is enough. If this one does not, the next attempt asks another.
            health.look();
            numbers.table().ifPresent(this::requireAddress);
            isOpen = true;
        }
    }

    @Override
    public boolean isWell() {
        return health.isWell();
    }

    @Override
    public void lookAgain() {
        health.lookAgain();
    }

    /** Otherwise no caller could be sent here. */
    private void requireAddress(SectionTable table) {
        String member = table.member();
        if (!member.isEmpty() && ServiceAddress.parse(member).isEmpty()) {
            throw new IdConfigurationException("Callers must be able to reach the server that has a key: seq=" + name
                    + " distributedid.keyed.section.address=" + member
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
            throw new Problem(ProblemType.INVALID_PARAMETER, failures.message(e));
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
        exchange.reserve(count);
        ask(exchange, key, count, redirects, last -> {
            issued.add(count);
            exchange.charge(count);
            then.accept(last);
        });
    }

    /** Reads the last number of a key. */
    void current(Exchange exchange, String key, int redirects, Consumer<Long> then) {
        ask(exchange, key, 0, redirects, then);
    }

    /** Reads a number that those of a key that were given do not exceed. Keeps a thread: few ask, at their start. */
    void bound(Exchange exchange, String key, int redirects, Consumer<Long> then) {
        waiting.add(
                exchange,
                key,
                opened -> run(exchange, key, redirects, () -> opened.bound(key, opened.timeout())),
                then);
    }

    /** @param count 0 to read */
    private void ask(Exchange exchange, String key, int count, int redirects, Consumer<Long> then) {
        pending.add(
                exchange,
                numbers.timeout(),
                () -> run(exchange, key, redirects, () -> numbers.begin(key, count)),
                (last, problem) -> {
                    if (problem == null) {
                        isOpen = true;
                        health.answered();
                        then.accept(last);
                    } else if (exchange.isGone()) {
                        // Says nothing about the database.
                        exchange.fail(HttpFailures.unwrapped(problem));
                    } else {
                        exchange.fail(meaning(exchange, key, redirects, HttpFailures.unwrapped(problem)));
                    }
                });
    }

    private <T> T run(Exchange exchange, String key, int redirects, Supplier<T> work) {
        try {
            return work.get();
        } catch (DistributedIdException e) {
            throw meaning(exchange, key, redirects, e);
        }
    }

    private Throwable meaning(Exchange exchange, String key, int redirects, Throwable problem) {
        return problem instanceof DistributedIdException e ? meaning(exchange, key, redirects, e) : problem;
    }

    private RuntimeException meaning(Exchange exchange, String key, int redirects, DistributedIdException problem) {
        if (problem instanceof IdStandbyException standby) {
            String target = exchange.request().path() + "?" + exchange.request().query();
            return KeyRedirect.problem(target, failures.message(problem), standby.active(), redirects, table());
        }
        if (problem instanceof IdConfigurationException) {
            health.failed(problem);
            return new Problem(ProblemType.NO_NUMBERS, failures.message(problem));
        }
        if (problem instanceof IdUnavailableException unavailable) {
            health.failed(unavailable);
        }
        return problem;
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
        return health.isWell() ? IdHealth.Status.UP : IdHealth.Status.DEGRADED;
    }

    /** Why it is not up; empty if it is. */
    String reason() {
        return isOpen ? health.reason() : HealthOperations.NOT_OPEN;
    }
}
