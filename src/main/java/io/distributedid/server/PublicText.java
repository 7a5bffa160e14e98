package io.distributedid.server;

import io.distributedid.DistributedIdException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.settings.Secrets;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What callers may read of a message: neither secrets nor the inside of the program. Databases and their drivers write
 * what they like into their messages, names of Java classes and stack traces too. An exception that is not of this
 * library is a fault of the server, which the log tells, and not the caller. Immutable.
 *
 * <p>Callers choose what stands in some messages. So a text is cut before it is searched, and the patterns neither
 * recurse nor go back (possessive quantifiers): however a text is made, it takes little time and stack.
 */
final class PublicText {

    private static final Logger LOG = System.getLogger(PublicText.class.getName());

    private static final String LOG_TELLS_MORE = "The log of the server says more. The request may be repeated";

    /** The figures that are messages, or names that other processes have chosen. */
    private static final Set<String> MESSAGES = Set.of("reason", "failure", "active");

    /** In characters. */
    private static final int LONGEST = 1_000;

    private static final String IN_PLACE_OF_CLASS = "a fault of the server";

    /** The last name of an exception, behind its package. */
    private static final String EXCEPTION = "\\.[A-Z][\\w$]*(?:Exception|Error)\\b";

    /** Of parts of a name. Without a bound, each part of a long name would be read once for each before it. */
    private static final String MANY = "{1,20}+";

    private static final String ANY = "{0,20}+";

    /** Of the JDK, of this program and of what it is made of; of others those that end like an exception. */
    private static final String CLASS =
            "(?:(?:java|javax|jdk|sun|com\\.sun|org\\.h2|io\\.(?:distributedid|vertx|netty|micrometer))"
                    + "(?:(?:\\.[a-z0-9_]\\w*+)" + ANY + "\\.[A-Z][\\w$]*+)" + MANY
                    + "|[A-Za-z_]\\w*+(?:(?:(?!" + EXCEPTION + ")\\.[A-Za-z_]\\w*+)" + ANY + EXCEPTION + ")" + MANY
                    + ")";

    /** On one line, as {@link Secrets#masked} returns it. */
    private static final Pattern TRACE =
            Pattern.compile("(?:^|\\s++)at [\\w$./@<>-]++\\((?:[\\w$]++\\.java|Native|Unknown).*+");

    /** As {@link Throwable#toString} writes it. */
    private static final Pattern CLASS_AND_MESSAGE = Pattern.compile("\\b" + CLASS + ": ");

    private static final Pattern CLASS_ALONE = Pattern.compile("\\b" + CLASS);

    private final Secrets secrets;

    PublicText(Secrets secrets) {
        this.secrets = secrets;
    }

    /** On one line. Of a long message its beginning. */
    String of(String message) {
        String line = TRACE.matcher(secrets.masked(message, LONGEST)).replaceFirst("");
        return CLASS_ALONE
                .matcher(CLASS_AND_MESSAGE.matcher(line).replaceAll(""))
                .replaceAll(IN_PLACE_OF_CLASS);
    }

    /** What callers may read of a failure. */
    String of(Throwable failure) {
        return Optional.ofNullable(failure.getMessage())
                .map(this::of)
                .filter(message -> !message.isBlank())
                .orElse("There is no message. " + LOG_TELLS_MORE);
    }

    /** Figures of a sequence, see {@link io.distributedid.IdHealth#details}, with such messages. */
    JsonObject of(Map<?, ?> figures) {
        JsonObject written = new JsonObject();
        figures.forEach((name, value) -> {
            boolean isMessage = value instanceof String && MESSAGES.contains(name);
            written.put(name.toString(), isMessage ? of((String) value) : of(value));
        });
        return written;
    }

    private Object of(Object value) {
        if (value instanceof List<?> list) {
            return new JsonArray(list.stream().map(this::of).toList());
        }
        return value instanceof Map<?, ?> figures ? of(figures) : value;
    }

    /** What a failure means for a caller. */
    Problem problem(Throwable failure) {
        if (failure instanceof Problem problem) {
            return problem;
        }
        if (failure instanceof IdsExhaustedException) {
            return new Problem(ProblemType.EXHAUSTED, of(failure));
        }
        if (failure instanceof IdStandbyException standby) {
            return new Problem(ProblemType.STANDBY, of(failure), Map.of(Problem.ACTIVE, standby.active()));
        }
        if (failure instanceof DistributedIdException) {
            return new Problem(ProblemType.UNAVAILABLE, of(failure));
        }
        LOG.log(Level.ERROR, "A request failed", failure);
        return new Problem(ProblemType.INTERNAL, LOG_TELLS_MORE);
    }
}
