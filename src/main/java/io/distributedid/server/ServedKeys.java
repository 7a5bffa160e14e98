package io.distributedid.server;

import io.distributedid.DistributedIdException;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.IdHealth.Status;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.keyed.source.SectionTable;
import io.distributedid.internal.process.Pending;
import io.distributedid.internal.service.HttpFailures;
import io.distributedid.internal.service.ServiceAddress;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * A sequence of which the server gives numbers per key. A request waits without a thread, so that one whose database
 * does not answer delays no other. Thread-safe.
 */
final class ServedKeys implements Served {

    /** A key, of which no number is taken. */
    private static final String PROBE = "0";

    private final String name;

    private final KeyedNumbers numbers;

    private final PublicText text;

    private final Workers workers;

    private final LongAdder issued = new LongAdder();

    private volatile boolean isOpen;

    /** Why there was no number at last, and this was not for one key alone; empty if there was one. */
    private volatile String failure = "";

    /** @param workers of this sequence alone */
    ServedKeys(String name, DistributedIds ids, PublicText text, Workers workers, MeterRegistry registry) {
        this.name = name;
        // DistributedIds makes no other.
        this.numbers = (KeyedNumbers) ids.keyed(name);
        this.text = text;
        this.workers = workers;
        FunctionCounter.builder("distributedid.server.numbers", issued, LongAdder::sum)
                .description("Numbers per key that were issued")
                .tag("sequence", name)
                .register(registry);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isWell() {
        return isOpen && failure.isEmpty();
    }

    /** Reads a key. One place that answers is enough. If this one does not, the next attempt asks another. */
    @Override
    public void look() {
        try {
            long unused = numbers.current(PROBE);
        } catch (IdStandbyException e) {
            // Another server has this key, and this one knows which.
        } catch (IdUnavailableException | IdConfigurationException e) {
            failure = text.of(e);
            throw e;
        }
        // Otherwise no caller could be sent here.
        numbers.table()
                .map(SectionTable::member)
                .filter(member ->
                        !member.isEmpty() && ServiceAddress.parse(member).isEmpty())
                .ifPresent(member -> {
                    throw new IdConfigurationException("Callers must be able to reach the server that has a key: seq="
                            + name + " distributedid.keyed.section.address=" + member
                            + ", allowed: an http or https address without a path. Set it to the server's own, as in"
                            + " https://ids1:8443");
                });
        answered();
    }

    private void answered() {
        if (!isWell()) {
            isOpen = true;
            failure = "";
        }
    }

    /** A text as a key, refused if it is none. */
    String key(String written) {
        try {
            return numbers.key(written);
        } catch (IllegalArgumentException e) {
            throw new Problem(ProblemType.INVALID_PARAMETER, text.of(e));
        }
    }

    /** Which server gives the numbers of which keys; empty if each gives all. */
    Optional<SectionTable> table() {
        return numbers.table();
    }

    /**
     * Takes numbers, and charges the caller's quota; or reads the last number of a key.
     *
     * @param count 0 to read
     * @param redirects how often this request was sent to another server already
     * @param then given the last of them on the request's event loop
     */
    void ask(Exchange exchange, String key, int count, int redirects, Consumer<Long> then) {
        if (count > 0) {
            exchange.reserve(count);
        }
        exchange.await(begun(key, count), numbers.timeout(), (last, problem) -> {
            if (problem == null) {
                answered();
                issued.add(count);
                exchange.charge(count);
                then.accept(last);
            } else {
                Throwable inner = HttpFailures.unwrapped(problem);
                exchange.fail(inner instanceof DistributedIdException e ? meaning(exchange, redirects, e) : inner);
            }
        });
    }

    private Pending<Long> begun(String key, int count) {
        try {
            return numbers.begin(key, count);
        } catch (DistributedIdException e) {
            return new Pending<>(CompletableFuture.failedFuture(e), () -> {});
        }
    }

    /** Reads a number that those of a key that were given do not exceed. Keeps a thread: few ask, at their start. */
    void bound(Exchange exchange, String key, int redirects, Consumer<Long> then) {
        workers.call(
                exchange,
                () -> {
                    try {
                        return numbers.bound(key, numbers.timeout());
                    } catch (DistributedIdException e) {
                        throw meaning(exchange, redirects, e);
                    }
                },
                then);
    }

    private RuntimeException meaning(Exchange exchange, int redirects, DistributedIdException problem) {
        if (problem instanceof IdStandbyException standby) {
            String target = exchange.request().path() + "?" + exchange.request().query();
            return KeyedOperations.redirect(target, text.of(problem), standby.active(), redirects, table());
        }
        if (problem instanceof IdConfigurationException) {
            failure = text.of(problem);
            return new Problem(ProblemType.NO_NUMBERS, failure);
        }
        // The end of the wait for a caller that has gone says nothing about the database.
        if (problem instanceof IdUnavailableException && !exchange.isGone()) {
            failure = text.of(problem);
        }
        return problem;
    }

    /** {@code DEGRADED} if some keys have no numbers now. */
    @Override
    public SequenceHealth health() {
        String reason = isOpen || !failure.isEmpty() ? failure : NOT_OPEN;
        Status status = isOpen ? reason.isEmpty() ? Status.UP : Status.DEGRADED : Status.DOWN;
        return new SequenceHealth(name, status, reason, SequenceStatistics.NONE.withIssued(issued.sum()));
    }
}
