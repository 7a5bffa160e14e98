package io.distributedid.internal;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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

    /**
     * Is told what becomes of calls.
     *
     * @param <S> the servers' type
     */
    public interface Watch<S> {

        /**
         * A server was called without an error.
         *
         * @param server one of the group
         */
        void succeeded(S server);

        /**
         * A call failed.
         *
         * @param server one of the group
         * @param e what it said
         * @param leftOut whether it was in use until now, and others have its turns from now on
         */
        void failed(S server, Exception e, boolean leftOut);
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
     * @param watch is told of each
     * @return the result
     * @throws InterruptedException if the thread was told to stop
     * @throws IdUnavailableException if all failed; names what each said
     * @throws IdsExhaustedException if none has ids left
     */
    public <T> T call(Call<S, T> call, Watch<? super S> watch) throws InterruptedException {
        int start = Math.floorMod(turn.getAndIncrement(), members.size());
        long now = System.nanoTime();
        List<Member<S>> order = new ArrayList<>();
        List<Member<S>> leftOut = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            Member<S> member = members.get((start + i) % members.size());
            (member.failure(now) == null ? order : leftOut).add(member);
        }
        order.addAll(leftOut);
        Failures failures = new Failures();
        for (Member<S> member : order) {
            try {
                T result = call.to(member.server);
                member.succeeded();
                watch.succeeded(member.server);
                return result;
            } catch (SQLException | IdConfigurationException | IdsExhaustedException e) {
                if (!closed) {
                    failed(member, e, watch);
                }
                failures.add(member.label, e);
            }
        }
        failures.throwIfAllAreExhausted();
        throw failures.toException();
    }

    /**
     * Calls every server that is not left out, so that what each has to say is heard.
     *
     * @param call to one server
     * @param watch is told of failures; no call counts as a success
     * @throws InterruptedException if the thread was told to stop
     * @throws IdConfigurationException of the first server that must not be used
     * @throws IdUnavailableException if none succeeded; names what each said
     */
    public void callAll(Call<S, ?> call, Watch<? super S> watch) throws InterruptedException {
        long now = System.nanoTime();
        Failures failures = new Failures();
        int succeeded = 0;
        for (Member<S> member : members) {
            Exception known = member.failure(now);
            try {
                if (known == null) {
                    call.to(member.server);
                    member.succeeded();
                    succeeded++;
                } else {
                    failures.add(member.label, known);
                }
            } catch (SQLException e) {
                failed(member, e, watch);
                failures.add(member.label, e);
            }
        }
        if (succeeded == 0) {
            throw failures.toException();
        }
    }

    /**
     * Calls one server. A failure leaves it out, and is no error.
     *
     * @param <T> the result's type
     * @param server one of the group
     * @param call to it
     * @param watch is told of a failure
     * @return the result; empty if the server failed
     * @throws InterruptedException if the thread was told to stop
     */
    public <T> Optional<T> callOne(S server, Call<S, T> call, Watch<? super S> watch) throws InterruptedException {
        try {
            return Optional.of(call.to(server));
        } catch (SQLException | IdConfigurationException | IdsExhaustedException e) {
            failed(server, e, watch);
            return Optional.empty();
        }
    }

    /**
     * Takes notice of a failure that happened outside of a call.
     *
     * @param server one of the group
     * @param e what it said
     * @param watch is told
     */
    public void failed(S server, Exception e, Watch<? super S> watch) {
        if (!closed) {
            members.stream().filter(member -> member.server.equals(server)).forEach(member -> failed(member, e, watch));
        }
    }

    /**
     * Whether a server failed a moment ago.
     *
     * @param place of the server, from 0
     * @return whether it is not to be asked for now
     */
    public boolean isLeftOut(int place) {
        return members.get(place).failure(System.nanoTime()) != null;
    }

    private void failed(Member<S> member, Exception e, Watch<? super S> watch) {
        boolean first = member.failed(e);
        watch.failed(member.server, e, first && members.size() > 1);
    }

    /**
     * Why a server is left out, or tried again by way of trial.
     *
     * @param place of the server, from 0
     * @return what it said last; empty if it is in use
     */
    public Optional<String> failure(int place) {
        return Optional.ofNullable(members.get(place).pause).map(pause -> FetchFailures.said(pause.last));
    }

    /** To be called before the servers are closed, whose failures are then no news. */
    @Override
    public void close() {
        closed = true;
    }

    private static final class Member<S> {

        private record Pause(int failures, Exception last, long until) {}

        final S server;

        final String label;

        private volatile @Nullable Pause pause;

        Member(S server, String label) {
            this.server = server;
            this.label = label;
        }

        /** Why the server is left out now, null if it is not. */
        @Nullable
        Exception failure(long now) {
            Pause seen = pause;
            return seen != null && seen.until - now > 0 ? seen.last : null;
        }

        void succeeded() {
            if (pause != null) {
                LOG.log(Level.INFO, "Server is used again: {0}", label);
                pause = null;
            }
        }

        /** Returns whether it was in use until now. */
        boolean failed(Exception e) {
            Pause before = pause;
            int failures = before == null ? 1 : before.failures + 1;
            long length = Math.min(LAST_PAUSE, FIRST_PAUSE << Math.min(failures - 1, 10));
            pause = new Pause(failures, e, System.nanoTime() + length);
            if (failures == 1) {
                LOG.log(Level.WARNING, "Server is left out for now: " + label, e);
            }
            return failures == 1;
        }
    }

    /** What went wrong, server by server. */
    private static final class Failures {

        private final List<Exception> all = new ArrayList<>();

        private final StringBuilder said = new StringBuilder();

        void add(String label, Exception e) {
            all.add(e);
            said.append("; ").append(label).append(" said: ").append(e.getMessage());
        }

        void throwIfAllAreExhausted() {
            if (all.stream().allMatch(IdsExhaustedException.class::isInstance)) {
                throw (IdsExhaustedException) all.get(0);
            }
        }

        IdUnavailableException toException() {
            IdUnavailableException error = new IdUnavailableException("No server gives ids" + said, all.get(0));
            all.stream().skip(1).forEach(error::addSuppressed);
            return error;
        }
    }
}
