package io.distributedid.internal.service;

import io.distributedid.internal.failover.ServerFailures;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.service.ServicePool.Ended;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The requests for one answer. The next server is asked when one has failed, and each time when one has not answered
 * for {@link ServicePool#SLOW}, those that failed after the others. The first good answer counts.
 *
 * <p>Servers come in this order: the likely one, those in use, those of them that may hang, those that are left out.
 * One that says who has the ids or numbers has that server asked next, at most {@value #MOST_REDIRECTS} times, and only
 * if the settings name it: a token goes to no other. Thread-safe.
 */
final class Race<T> {

    private static final int MOST_REDIRECTS = 3;

    private final ServicePool pool;

    private final Subject subject;

    private final Function<ServiceServer, CompletableFuture<T>> question;

    private final CompletableFuture<Ended<T>> result = new CompletableFuture<>();

    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock from here on.

    private final Deque<ServiceServer> next = new ArrayDeque<>();

    private final Set<ServiceServer> underWay = new HashSet<>();

    /** Those under way that were asked before. The race does not wait for them. */
    private final Set<ServiceServer> again = new HashSet<>();

    private final Set<ServiceServer> asked = new HashSet<>();

    private final ServerFailures failures = new ServerFailures();

    private int redirects;

    /** Then no further server is asked, but one that was asked may still answer. */
    private @Nullable Exception refusal;

    Race(ServicePool pool, Subject subject, Function<ServiceServer, CompletableFuture<T>> question) {
        this.pool = pool;
        this.subject = subject;
        this.question = question;
        List<ServiceServer> slow = new ArrayList<>();
        List<ServiceServer> leftOut = new ArrayList<>();
        for (ServiceServer server : pool.inOrder()) {
            (subject.pause(server).isPresent() ? leftOut : server.isSlow() ? slow : next).add(server);
        }
        subject.likely().filter(next::remove).ifPresent(next::addFirst);
        next.addAll(slow);
        next.addAll(leftOut);
    }

    CompletableFuture<Ended<T>> begin() {
        if (subject.pause(next.getFirst()).isEmpty()) {
            tryOthers();
        }
        goOn(null);
        return result;
    }

    /** Asks those whose back-off is over, beside the others. A failure of theirs does not count. */
    private void tryOthers() {
        for (ServiceServer server : pool.inOrder()) {
            ServerPause trial = subject.pause(server).orElse(null);
            if (trial != null && trial.beginTrial(true)) {
                CompletableFuture<?> unused = pool.send(subject, server, true, question, trial, () -> {})
                        .thenAccept(end -> {
                            if (end.failure() == null) {
                                ended(end);
                            }
                        });
            }
        }
    }

    /**
     * Asks the next server, or ends if only servers that are asked again have to answer. A server that is left out, and
     * can't be tried now, may be in use again at the next step.
     */
    void goOn(@Nullable Ended<T> failed) {
        ServiceServer server = null;
        ServerPause trial = null;
        Exception end = null;
        boolean isFirst = false;
        lock.lock();
        try {
            if (failed != null) {
                note(failed.server(), Objects.requireNonNull(failed.failure()));
            }
            List<ServerPause> skipped = new ArrayList<>();
            for (Iterator<ServiceServer> each = next.iterator();
                    server == null && refusal == null && !result.isDone() && each.hasNext(); ) {
                ServiceServer candidate = each.next();
                trial = subject.pause(candidate).orElse(null);
                if (trial == null || trial.beginTrial(false)) {
                    server = candidate;
                    each.remove();
                    underWay.add(server);
                    isFirst = asked.add(server);
                    if (!isFirst) {
                        again.add(server);
                    }
                } else {
                    skipped.add(trial);
                }
            }
            if (server == null && underWay.size() == again.size() && !result.isDone()) {
                skipped.forEach(failures::add);
                end = refusal == null ? failures.none(subject.none()) : refusal;
            }
        } finally {
            lock.unlock();
        }
        if (server != null) {
            ask(server, trial, isFirst ? this::askAgain : () -> goOn(null));
        } else if (end != null) {
            result.completeExceptionally(end);
        }
    }

    private void ask(ServiceServer server, @Nullable ServerPause trial, Runnable late) {
        CompletableFuture<?> unused = pool.send(subject, server, true, question, trial, late)
                .thenAccept(this::ended)
                .exceptionally(broken -> {
                    result.completeExceptionally(HttpFailures.unwrapped(broken));
                    return null;
                });
    }

    /**
     * While a server hangs, one that failed before may be good again. Not for one that is asked again itself, so that
     * the race ends.
     */
    private void askAgain() {
        lock.lock();
        try {
            pool.inOrder().stream()
                    .filter(each -> !next.contains(each) && !underWay.contains(each))
                    .forEach(next::add);
        } finally {
            lock.unlock();
        }
        goOn(null);
    }

    private void ended(Ended<T> end) {
        if (end.failure() != null) {
            goOn(end);
        } else {
            result.complete(end);
        }
    }

    private void note(ServiceServer server, Exception failure) {
        underWay.remove(server);
        again.remove(server);
        Optional<String> owner = failure instanceof ServiceException e ? e.owner() : Optional.empty();
        Optional<ServiceServer> named = owner.flatMap(pool::find);
        named.filter(other -> !underWay.contains(other)).ifPresent(this::askNext);
        failures.add(
                server.label(),
                owner.isPresent() && named.isEmpty()
                        ? pool.ofStranger((ServiceException) failure, owner.get())
                        : failure);
        if (refusal == null && subject.isFinal(failure)) {
            refusal = failure;
        }
    }

    private void askNext(ServiceServer server) {
        if (redirects++ < MOST_REDIRECTS) {
            next.remove(server);
            next.addFirst(server);
            asked.remove(server);
        }
    }
}
