package io.distributedid.backend.redis;

import io.distributedid.internal.counter.CounterKey;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands on one connection, and waits for each answer up to a limit. For one thread at a time.
 *
 * <p>A script is sent by its digest. A server that does not know it yet gets its text: that takes a second trip, once
 * after each start of the server.
 */
final class RedisCalls {

    /** Null for a cluster: commands go to several connections there, some of which are only being opened. */
    private final @Nullable StatefulConnection<String, String> connection;

    private final RedisClusterAsyncCommands<String, String> commands;

    private final String label;

    private volatile Duration limit;

    RedisCalls(
            @Nullable StatefulConnection<String, String> connection,
            RedisClusterAsyncCommands<String, String> commands,
            String label,
            Duration limit) {
        this.connection = connection;
        this.commands = commands;
        this.label = label;
        this.limit = limit;
    }

    String label() {
        return label;
    }

    /** Bounds each answer from now on. */
    void limit(Duration atMost) {
        limit = atMost;
    }

    RedisClusterAsyncCommands<String, String> commands() {
        return commands;
    }

    /** Waits for an answer. */
    <T> T answer(RedisFuture<T> sent) throws SQLException {
        try {
            return sent.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            sent.cancel(true);
            throw new SQLTimeoutException("No answer within " + limit.toMillis() + " ms: " + label, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RedisFailure("Interrupted while waiting for an answer: " + label, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RedisCommandExecutionException refused) {
                throw RedisFailure.answer(label, refused);
            }
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new RedisFailure("The connection is broken: " + label + ": " + cause.getMessage(), cause);
        }
    }

    /** A run of a script on a counter and its ledger. */
    record Call(CounterKey counter, List<String> arguments) {

        private String[] keys() {
            return new String[] {counter.table(), RedisChange.ledger(counter)};
        }

        private String[] values() {
            return arguments.toArray(String[]::new);
        }
    }

    /** Runs a script several times, in one trip. Returns the results in the order of the calls. */
    <T> List<T> run(RedisScript<T> script, List<Call> calls) throws SQLException {
        List<RedisFuture<T>> sent = send(script, calls);
        List<T> results = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            results.add(result(script, calls.get(i), sent.get(i)));
        }
        return results;
    }

    private <T> List<RedisFuture<T>> send(RedisScript<T> script, List<Call> calls) {
        boolean isTogether = connection != null && calls.size() > 1;
        if (isTogether) {
            connection.setAutoFlushCommands(false);
        }
        try {
            return calls.stream()
                    .map(call -> commands.<T>evalsha(script.digest(), script.output(), call.keys(), call.values()))
                    .toList();
        } finally {
            if (isTogether) {
                connection.setAutoFlushCommands(true);
                connection.flushCommands();
            }
        }
    }

    private <T> T result(RedisScript<T> script, Call call, RedisFuture<T> sent) throws SQLException {
        try {
            return answer(sent);
        } catch (RedisFailure e) {
            if (e.getCause() instanceof RedisNoScriptException) {
                return result(
                        script, call, commands.<T>eval(script.text(), script.output(), call.keys(), call.values()));
            }
            if (String.valueOf(e.getMessage()).contains("WRONGTYPE")) {
                throw RedisLook.notOurs(call.counter(), call.counter() + ", " + e.getMessage());
            }
            throw e;
        }
    }
}
