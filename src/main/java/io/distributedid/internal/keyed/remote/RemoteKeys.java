package io.distributedid.internal.keyed.remote;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.http.ServiceSettings;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.keyed.remote.KeySpot.Want;
import io.distributedid.internal.keyed.source.KeyedSource;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Numbers per key from the servers of an issuing service.
 *
 * <p>A request goes to the server that gives the numbers of the key, see {@link KeyRoutes}, or to any if each gives
 * all: at first to a random one, then to the one that answered last. A server that fails is left out and tried again in
 * the background, and the next one is asked. One that has not the key says who has; at most three such answers are
 * followed, and only to servers that the settings name. If no server gives a number, all are asked again after a pause,
 * until the time of the call is over. In an outage of its key that has lasted longer than that, a call asks once, see
 * {@link KeyOutages}. Not so a call for a bound: a start divides its time among several keys, and the outage began with
 * the first. Thread-safe.
 */
public final class RemoteKeys implements KeyedSource {

    private static final long FIRST_PAUSE = Duration.ofMillis(20).toNanos();

    private static final long LAST_PAUSE = Duration.ofMillis(250).toNanos();

    private final KeyServers servers;

    private final KeyOutages outages = new KeyOutages(System::nanoTime);

    private final SharedCalls calls = new SharedCalls(this::ask, outages::failure);

    /** By sequence. */
    private final Map<String, KeyRoutes> routes = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();

    private volatile boolean ended;

    /**
     * Does not connect to any server.
     *
     * @param answerTimeout of one request
     */
    public RemoteKeys(ServiceSettings settings, ServiceSettings.Service service, Duration answerTimeout) {
        servers = KeyServers.open(settings, service, answerTimeout);
    }

    @Override
    public long take(String sequence, String key, int count, long began, Duration timeout) {
        return calls.call(new KeySpot(sequence, key, Want.NUMBERS), count, new CallTime(began, timeout));
    }

    @Override
    public long current(String sequence, String key, long began, Duration timeout) {
        return calls.call(new KeySpot(sequence, key, Want.LAST), 0, new CallTime(began, timeout));
    }

    @Override
    public long bound(String sequence, String key, long began, Duration timeout) {
        return calls.call(new KeySpot(sequence, key, Want.BOUND), 0, new CallTime(began, timeout));
    }

    private KeyRoutes routes(String sequence) {
        KeyRoutes known = routes.get(sequence);
        if (known != null) {
            return known;
        }
        KeyRoutes made = routes.computeIfAbsent(
                sequence, name -> new KeyRoutes(servers.all(), server -> servers.table(server, name)));
        CompletableFuture<?> unused = made.refresh(servers.inOrder().get(0));
        return made;
    }

    private long ask(KeySpot spot, int count, CallTime time) throws InterruptedException {
        KeyRoutes table = routes(spot.sequence());
        IdUnavailableException before = null;
        long began = System.nanoTime();
        for (long pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LAST_PAUSE)) {
            if (ended) {
                throw SharedCalls.closed(spot);
            }
            KeyRound round = new KeyRound(servers, table, spot, count, time);
            Optional<Long> last = round.run();
            if (last.isPresent()) {
                outages.succeeded(spot);
                return last.get();
            }
            // A round that the end of the call cuts off knows less than the one before.
            IdUnavailableException failed = before != null && time.left() <= 0 ? before : round.failure();
            before = failed;
            if (round.isAnswered()) {
                outages.answered();
            }
            long lasted = outages.failed(
                    spot, round.isOutageOfAll(), began, time.timeout(), String.valueOf(failed.getMessage()));
            boolean isOld = spot.want() != Want.BOUND && lasted > time.timeout().toNanos();
            if (isOld || time.left() <= pause) {
                throw new IdUnavailableException(
                        (isOld ? "" : SharedCalls.late(spot, time)) + FailureText.of(failed), failed);
            }
            sleep(pause);
        }
    }

    private void sleep(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (left > 0 && !ended) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stop() {
        ended = true;
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        calls.end();
        servers.stop();
    }

    @Override
    public void cut() {
        stop();
        servers.cut();
    }

    /** Gives nothing back, as {@link #close}: the service takes no numbers back. */
    @Override
    public void abandon() {
        close();
    }

    @Override
    public void close() {
        stop();
        servers.close();
    }
}
