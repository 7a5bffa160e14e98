package io.distributedid.internal.keyed.remote;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.failover.ServerFailures;
import io.distributedid.internal.http.HttpFailures;
import io.distributedid.internal.keyed.remote.KeyServerException.Kind;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Asks one server after the other until one gives a number: first the owner of the key, then those in use, then those
 * that were left out. One that says who has the key has that one asked next, at most {@value #MOST_REDIRECTS} times,
 * and only if the settings name it. For one thread.
 */
final class KeyRound {

    private static final int MOST_REDIRECTS = 3;

    /** After this time a server may hang. */
    private static final long SLOW = Duration.ofMillis(300).toNanos();

    private final KeyServers servers;

    private final KeyRoutes table;

    private final KeySpot spot;

    private final int count;

    private final CallTime time;

    private final Deque<KeyServer> next = new ArrayDeque<>();

    private final ServerFailures failures = new ServerFailures();

    /** Whether a server was in use at the beginning. */
    private final boolean hasServersInUse;

    private int redirects;

    /** Whether a server answered, though without a number. */
    private boolean answered;

    /** Whether a server had too little time to answer. */
    private boolean hurried;

    /** Begins to try servers that were left out, in the background. */
    KeyRound(KeyServers servers, KeyRoutes table, KeySpot spot, int count, CallTime time) {
        this.servers = servers;
        this.table = table;
        this.spot = spot;
        this.count = count;
        this.time = time;
        List<KeyServer> leftOut = new ArrayList<>();
        servers.inOrder().forEach(server -> (server.pause().isInUse() ? next : leftOut).add(server));
        hasServersInUse = !next.isEmpty();
        table.owner(spot.key()).filter(next::remove).ifPresent(next::addFirst);
        if (hasServersInUse) {
            leftOut.forEach(this::tryInBackground);
        }
        next.addAll(leftOut);
    }

    private void tryInBackground(KeyServer server) {
        if (server.pause().beginTrial(true)) {
            CompletableFuture<?> unused =
                    servers.table(server, spot.sequence()).whenComplete((answer, failure) -> endTrial(server, failure));
        }
    }

    /** A refusal is an answer too. */
    private static void endTrial(KeyServer server, @Nullable Throwable failure) {
        if (failure != null
                && HttpFailures.unwrapped(failure) instanceof KeyServerException e
                && e.kind() == Kind.UNREACHABLE) {
            server.pause().failed(e, true);
        } else {
            server.pause().succeeded();
        }
        server.pause().endTrial();
    }

    /** The last of the numbers; empty if no server gives one. */
    Optional<Long> run() throws InterruptedException {
        for (KeyServer server = next.poll(); server != null; server = next.poll()) {
            boolean isTrial = !server.pause().isInUse();
            if (isTrial && !server.pause().beginTrial(hasServersInUse)) {
                failures.add(server.pause());
                continue;
            }
            Optional<Long> last = ask(server, isTrial);
            if (last.isPresent() || time.left() <= 0) {
                return last;
            }
        }
        return Optional.empty();
    }

    /** Whether a server answered. */
    boolean isAnswered() {
        return answered;
    }

    /** Whether no server answers. Otherwise other keys may get numbers. */
    boolean isOutageOfAll() {
        return !answered && !hurried && next.isEmpty();
    }

    /** Why no server gives a number. */
    IdUnavailableException failure() {
        return failures.toException("No server gives a number: " + spot, "");
    }

    private Optional<Long> ask(KeyServer server, boolean isTrial) throws InterruptedException {
        long began = System.nanoTime();
        try {
            long last = servers.ask(server, spot, count, time);
            server.pause().succeeded();
            table.learn(spot.key(), server);
            return Optional.of(last);
        } catch (KeyServerException e) {
            failed(server, e, isTrial, System.nanoTime() - began);
            return Optional.empty();
        } catch (DistributedIdException e) {
            server.pause().succeeded();
            throw e;
        } finally {
            if (isTrial) {
                server.pause().endTrial();
            }
        }
    }

    private void failed(KeyServer server, KeyServerException e, boolean isTrial, long nanos) {
        Optional<KeyServer> owner = e.owner().flatMap(table::find);
        failures.add(server.label(), e.owner().isPresent() && owner.isEmpty() ? ofStranger(e) : e);
        if (e.kind() == Kind.UNREACHABLE) {
            // A caller with little time left says nothing about the server.
            if (!(e.getCause() instanceof HttpTimeoutException) || nanos >= SLOW) {
                server.pause().failed(e, isTrial);
            } else {
                hurried = true;
            }
            return;
        }
        answered = true;
        server.pause().succeeded();
        if (e.kind() == Kind.ELSEWHERE) {
            CompletableFuture<?> unused = table.refresh(server);
            owner.ifPresent(this::askNext);
        }
    }

    /** A token goes to no server that the settings do not name. */
    private KeyServerException ofStranger(KeyServerException e) {
        return new KeyServerException(
                e.kind(),
                e.getMessage() + ". That server is not in " + servers.settings().servers() + ": "
                        + e.owner().orElse(""),
                e);
    }

    private void askNext(KeyServer owner) {
        if (redirects++ < MOST_REDIRECTS) {
            next.remove(owner);
            next.addFirst(owner);
        }
    }
}
