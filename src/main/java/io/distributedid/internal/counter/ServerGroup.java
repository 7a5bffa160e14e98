package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.block.FetchHistory;
import io.distributedid.internal.jdbc.ServerBusyException;
import io.distributedid.internal.process.OwnThread;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Servers that can stand in for each other. Calls go round robin, past a server that is busy with one call for so long that it may
 * hang. A server that fails is left out. It is tried again after a back-off that doubles from half a second to ten seconds: in the
 * background, so that no caller waits for it, and by one thread at a time. When all are left out the callers try them, again one
 * for each server; the others are told at once what it said last. Thread-safe.
 *
 * @param <S> the servers' type
 */
public final class ServerGroup<S> implements AutoCloseable {

    private static final Logger LOG = System.getLogger(ServerGroup.class.getName());

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

        /**
         * A trial in the background failed.
         *
         * @param server one of the group, left out before
         * @param e what it said
         */
        void triedInVain(S server, Exception e);
    }

    private final List<GroupMember<S>> members;

    private final Predicate<S> busy;

    private final AtomicInteger turn = new AtomicInteger();

    private volatile boolean closed;

    /**
     * Calls nobody yet.
     *
     * @param servers at least one
     * @param label names one in messages
     * @param busy whether one may hang, so that others are asked first
     */
    public ServerGroup(List<S> servers, Function<S, String> label, Predicate<S> busy) {
        this(servers, label, busy, System::nanoTime);
    }

    ServerGroup(List<S> servers, Function<S, String> label, Predicate<S> busy, LongSupplier nanoTime) {
        this.busy = busy;
        members = servers.stream()
                .map(server -> new GroupMember<>(server, label.apply(server), nanoTime))
                .toList();
    }

    /**
     * Calls one server after the other until one succeeds.
     *
     * @param <T> the result's type
     * @param call to one server
     * @param trial is made instead to a server that was left out, while others are in use; its result is dropped
     * @param watch is told of each
     * @return the result
     * @throws InterruptedException if the thread was told to stop
     * @throws IdUnavailableException if all failed; names what each said
     * @throws IdsExhaustedException if none has ids left
     */
    public <T> T call(Call<S, T> call, Call<S, ?> trial, Watch<? super S> watch) throws InterruptedException {
        List<GroupMember<S>> inUse = new ArrayList<>();
        List<GroupMember<S>> leftOut = new ArrayList<>();
        sort(inUse, leftOut);
        if (!inUse.isEmpty()) {
            leftOut.forEach(member -> tryInBackground(member, trial, watch));
        }
        ServerFailures failures = new ServerFailures();
        for (GroupMember<S> member : inUse) {
            Optional<T> result = ask(member, call, watch, failures, false);
            if (result.isPresent()) {
                return result.get();
            }
        }
        for (GroupMember<S> member : leftOut) {
            if (member.beginTrial(false)) {
                try {
                    Optional<T> result = ask(member, call, watch, failures, true);
                    if (result.isPresent()) {
                        return result.get();
                    }
                } finally {
                    member.endTrial();
                }
            } else {
                failures.add(member);
            }
        }
        throw failures.noneGivesIds();
    }

    /** In turn, those that may hang at the end. */
    private void sort(List<GroupMember<S>> inUse, List<GroupMember<S>> leftOut) {
        int start = Math.floorMod(turn.getAndIncrement(), members.size());
        List<GroupMember<S>> slow = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            GroupMember<S> member = members.get((start + i) % members.size());
            if (!member.isInUse()) {
                leftOut.add(member);
            } else if (busy.test(member.server)) {
                slow.add(member);
            } else {
                inUse.add(member);
            }
        }
        inUse.addAll(slow);
    }

    private <T> Optional<T> ask(
            GroupMember<S> member, Call<S, T> call, Watch<? super S> watch, ServerFailures failures, boolean trial)
            throws InterruptedException {
        try {
            T result = call.to(member.server);
            member.succeeded();
            watch.succeeded(member.server);
            return Optional.of(result);
        } catch (ServerBusyException e) {
            failures.add(member.label, e);
        } catch (SQLException | IdConfigurationException | IdsExhaustedException e) {
            if (!closed) {
                failed(member, e, watch, trial);
            }
            failures.add(member.label, e);
        }
        return Optional.empty();
    }

    /** A thread of its own, since it may take as long as a server that hangs. */
    private void tryInBackground(GroupMember<S> member, Call<S, ?> trial, Watch<? super S> watch) {
        if (closed || !member.beginTrial(true)) {
            return;
        }
        boolean started = false;
        try {
            OwnThread.named("distributedid-trial", () -> runTrial(member, trial, watch))
                    .start();
            started = true;
        } finally {
            if (!started) {
                member.endTrial();
            }
        }
    }

    private void runTrial(GroupMember<S> member, Call<S, ?> trial, Watch<? super S> watch) {
        try {
            trial.to(member.server);
            member.succeeded();
        } catch (SQLException | RuntimeException e) {
            if (!closed) {
                member.failed(e, true);
                watch.triedInVain(member.server, e);
            }
        } catch (InterruptedException e) {
            LOG.log(Level.DEBUG, "A trial was interrupted: {0}", member.label);
        } finally {
            member.endTrial();
        }
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
        ServerFailures failures = new ServerFailures();
        int succeeded = 0;
        for (GroupMember<S> member : members) {
            if (!member.isInUse() && !member.isDue()) {
                failures.add(member);
                continue;
            }
            try {
                call.to(member.server);
                member.succeeded();
                succeeded++;
            } catch (SQLException e) {
                failed(member.server, e, watch);
                failures.add(member.label, e);
            }
        }
        if (succeeded == 0) {
            throw failures.toException("No server gives ids", "");
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
        if (!closed && !(e instanceof ServerBusyException)) {
            members.stream()
                    .filter(member -> member.server.equals(server))
                    .forEach(member -> failed(member, e, watch, false));
        }
    }

    /**
     * Whether a server failed and was not tried with success since, or may hang.
     *
     * @param place of the server, from 0
     * @return whether it is not to be asked for now
     */
    public boolean isLeftOut(int place) {
        GroupMember<S> member = members.get(place);
        return !member.isInUse() || busy.test(member.server);
    }

    private void failed(GroupMember<S> member, Exception e, Watch<? super S> watch, boolean trial) {
        boolean first = member.failed(e, trial);
        watch.failed(member.server, e, first && members.size() > 1);
    }

    /**
     * Why a server is left out, or tried again by way of trial.
     *
     * @param place of the server, from 0
     * @return what it said last; empty if it is in use
     */
    public Optional<String> failure(int place) {
        return Optional.ofNullable(members.get(place).failure()).map(FetchHistory::messageOf);
    }

    /** To be called before the servers are closed, whose failures are then no news. */
    @Override
    public void close() {
        closed = true;
    }
}
