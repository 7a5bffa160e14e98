package io.distributedid.backend.redis;

import io.lettuce.core.RedisCommandExecutionException;
import java.io.Serial;
import java.sql.SQLException;
import java.util.Locale;

/**
 * Redis did not do what it was asked for. Its message is complete in itself. The SQLState tells the rest of the library
 * what kind of failure it is, as with a database.
 */
final class RedisFailure extends SQLException {

    @Serial
    private static final long serialVersionUID = 1;

    private static final String NO_CONNECTION = "08006";

    private static final String READ_ONLY = "25006";

    private static final String WRONG_PASSWORD = "28000";

    private static final String NO_RIGHT = "42501";

    private RedisFailure(String message, String state, Throwable cause) {
        super(message, state, cause);
    }

    RedisFailure(String message) {
        super(message, NO_CONNECTION);
    }

    RedisFailure(String message, Throwable cause) {
        this(message, NO_CONNECTION, cause);
    }

    /** Whether the server has refused a command: the user has no right, or there is no such command. */
    boolean isRefusal() {
        return getCause() instanceof RedisCommandExecutionException refused
                && String.valueOf(refused.getMessage()).matches("(?s)(NOPERM|ERR) .*");
    }

    /** What the server answered instead of a result. */
    static RedisFailure answer(String label, RedisCommandExecutionException e) {
        String text = String.valueOf(e.getMessage());
        String said = label + " said: " + text;
        return switch (text.split(" ", 2)[0].toUpperCase(Locale.ROOT)) {
            case "NOAUTH", "WRONGPASS" ->
                new RedisFailure(
                        said + ". Check distributedid.redis.user and distributedid.redis.password, or user and password"
                                + " in the URL if it has them",
                        WRONG_PASSWORD,
                        e);
            case "NOPERM" ->
                new RedisFailure(said + ". Give the user the commands that the page on Redis lists", NO_RIGHT, e);
            case "READONLY" ->
                new RedisFailure(
                        said + ". The server has become a replica, and the client looks for its master", READ_ONLY, e);
            default -> new RedisFailure(said, NO_CONNECTION, e);
        };
    }
}
