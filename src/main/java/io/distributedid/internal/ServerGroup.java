package io.distributedid.internal;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Servers that can stand in for each other. Calls go round robin; a server that fails is left out and tried again after a
 * back-off that doubles from half a second to ten seconds, in its turn. When all are left out, all are tried. Thread-safe.
 *
 * @param <S> the servers' type
 */
public final class ServerGroup<S> implements AutoCloseable {

    private static final Logger LOG = System.getLogger(ServerGroup.class.getName());

    private static final long FIRST_PAUSE = Duration.ofMillis(500).toNanos();

    private static final long LAST_PAUSE = Duration.ofSeconds(10).toNanos();

    /**
     * A call to one server.
     *
     * @param <S> the server's type
     * @param <T> the result's type
     */
    @FunctionalInterface
    public interface Call<S, T> {

        /**
         * Calls the server.
         *
         * @param server one of the group
         * @return the result
         * @throws SQLException if the server failed
         * @throws InterruptedException if the thread was told to stop
         */
        T to(S server) throws SQLException, InterruptedException;
    }

    private final List<Member<S>> members;

    private final AtomicInteger turn = new AtomicInteger();

    private volatile boolean closed;

    /**
     * Calls nobody yet.
     *
     * @param servers at least one
     * @param label names one in messages
     */
    public ServerGroup(List<S> servers, Function<S, String> label) {
        members = servers.stream()
                .map(server -> new Member<>(server, label.apply(server)))
                .toList();
    }

    /**
     * Calls one server after the other until one succeeds.
     *
     * @param <T> the result's type
     * @param call to one server
     * @return the result
     * @throws InterruptedException if the thread was told to stop
     * @throws IdUnavailableException if all failed; names what each said
     */
    public <T> T call(Call<S, T> call) throws InterruptedException {
        int start = Math.floorMod(turn.getAndIncrement(), members.size());
        long now = System.nanoTime();
        List<Member<S>> order = new ArrayList<>();
        List<Member<S>> leftOut = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            Member<S> member = members.get((start + i) % members.size());
            (member.isLeftOut(now) ? leftOut : order).add(member);
        }
        order.addAll(leftOut);
        List<Exception> failures = new ArrayList<>();
        StringBuilder said = new StringBuilder();
        for (Member<S> member : order) {
            try {
                T result = call.to(member.server);
                member.succeeded();
                return result;
            } catch (SQLException | IdConfigurationException e) {
                if (!closed) {
                    member.failed(e);
                }
                failures.add(e);
                said.append("; ").append(member.label).append(" said: ").append(e.getMessage());
            }
        }
        IdUnavailableException error = new IdUnavailableException("No server gives ids" + said, failures.get(0));
        failures.stream().skip(1).forEach(error::addSuppressed);
        throw error;
    }

    /** To be called before the servers are closed, whose failures are then no news. */
    @Override
    public void close() {
        closed = true;
    }

    private static final class Member<S> {

        private record Pause(int failures, long until) {}

        private static final Pause NONE = new Pause(0, 0);

        final S server;

        final String label;

        private volatile Pause pause = NONE;

        Member(S server, String label) {
            this.server = server;
            this.label = label;
        }

        boolean isLeftOut(long now) {
            Pause seen = pause;
            return seen.failures > 0 && seen.until - now > 0;
        }

        void succeeded() {
            if (pause.failures > 0) {
                LOG.log(Level.INFO, "Server is used again: {0}", label);
                pause = NONE;
            }
        }

        void failed(Exception e) {
            int failures = pause.failures + 1;
            long length = Math.min(LAST_PAUSE, FIRST_PAUSE << Math.min(failures - 1, 10));
            pause = new Pause(failures, System.nanoTime() + length);
            if (failures == 1) {
                LOG.log(Level.WARNING, "Server is left out for now: " + label, e);
            }
        }
    }
}
