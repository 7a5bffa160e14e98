package io.distributedid.internal.service;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.failover.ServerFailures;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.service.ServicePool.Ended;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The requests for one answer. The next server is asked when one has failed, and when one has not answered after
 * {@link ServicePool#SLOW}. The first good answer counts.
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

    private final long began;

    private final CompletableFuture<Ended<T>> result = new CompletableFuture<>();

    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock from here on.

    private final Deque<ServiceServer> next = new ArrayDeque<>();

    private final Deque<ServiceServer> leftOut = new ArrayDeque<>();

    private final Set<ServiceServer> underWay = new HashSet<>();

    private final ServerFailures failures = new ServerFailures();

    private int redirects;

    /** Then no further server is asked, but one that was asked may still answer. */
    private @Nullable Exception refusal;

    Race(ServicePool pool, Subject subject, Function<ServiceServer, CompletableFuture<T>> question) {
        this.pool = pool;
        this.subject = subject;
        this.question = question;
        began = pool.outages().now();
        List<ServiceServer> slow = new ArrayList<>();
        for (ServiceServer server : pool.inOrder()) {
            (subject.pause(server).isPresent() ? leftOut : server.isSlow() ? slow : next).add(server);
        }
        subject.likely().filter(next::remove).ifPresent(next::addFirst);
        next.addAll(slow);
    }

    /** Those to be tried in the background. */
    List<ServiceServer> leftOut() {
        return next.isEmpty() ? List.of() : List.copyOf(leftOut);
    }

    CompletableFuture<Ended<T>> begin() {
        startNext();
        return result;
    }

    private void startNext() {
        ServiceServer server;
        ServerPause trial = null;
        lock.lock();
        try {
            if (result.isDone()) {
                return;
            }
            server = refusal == null ? next.poll() : null;
            while (server == null && refusal == null && !leftOut.isEmpty()) {
                ServiceServer each = leftOut.remove();
                trial = subject.pause(each).orElse(null);
                if (trial == null || trial.beginTrial(false)) {
                    server = each;
                } else {
                    failures.add(trial);
                }
            }
            if (server != null) {
                underWay.add(server);
            }
        } finally {
            lock.unlock();
        }
        if (server != null) {
            CompletableFuture<?> unused = pool.send(subject, server, true, question, trial, this::startNext)
                    .thenAccept(this::ended)
                    .exceptionally(broken -> {
                        result.completeExceptionally(HttpFailures.unwrapped(broken));
                        return null;
                    });
        } else {
            endIfAllFailed();
        }
    }

    private void endIfAllFailed() {
        Exception end;
        lock.lock();
        try {
            // Since this thread found no other server, one that has failed may have named one.
            boolean isAnyLeft = refusal == null && !(next.isEmpty() && leftOut.isEmpty());
            if (!underWay.isEmpty() || isAnyLeft || result.isDone()) {
                return;
            }
            end = refusal == null ? failures.none(subject.none()) : refusal;
        } finally {
            lock.unlock();
        }
        if (end instanceof IdUnavailableException) {
            pool.outages().failed(subject.place(), began, end);
        } else {
            pool.outages().ended(subject.place());
        }
        result.completeExceptionally(end);
    }

    private void ended(Ended<T> end) {
        Exception failure = end.failure();
        if (failure == null) {
            pool.outages().ended(subject.place());
            result.complete(end);
            return;
        }
        lock.lock();
        try {
            underWay.remove(end.server());
            failures.add(end.server().label(), redirected(failure));
            if (refusal == null && subject.isFinal(failure)) {
                refusal = failure;
            }
        } finally {
            lock.unlock();
        }
        startNext();
    }

    /** Has the server asked next that another one names. The caller holds the lock. */
    private Exception redirected(Exception failure) {
        Optional<String> owner = failure instanceof ServiceException e ? e.owner() : Optional.empty();
        if (owner.isEmpty()) {
            return failure;
        }
        Optional<ServiceServer> named = pool.find(owner.get());
        named.filter(server -> !underWay.contains(server)).ifPresent(this::askNext);
        return named.isPresent() ? failure : pool.ofStranger((ServiceException) failure, owner.get());
    }

    private void askNext(ServiceServer server) {
        if (redirects++ < MOST_REDIRECTS) {
            boolean isLeftOut = leftOut.remove(server) || subject.pause(server).isPresent();
            next.remove(server);
            (isLeftOut ? leftOut : next).addFirst(server);
        }
    }
}
