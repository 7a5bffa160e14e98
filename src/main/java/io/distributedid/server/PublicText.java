package io.distributedid.server;

import io.distributedid.internal.settings.Secrets;
import java.util.regex.Pattern;

/**
 * What callers may read of a message: neither secrets nor the inside of the program. Databases and their drivers write
 * what they like into their messages, names of Java classes and stack traces too. Immutable.
 */
final class PublicText {

    private static final String IN_PLACE_OF_CLASS = "a fault of the server";

    /** Of the JDK, of this program and of what it is made of; of others those that end like an exception. */
    private static final String CLASS =
            "(?:(?:java|javax|jdk|sun|com\\.sun|org\\.h2|io\\.(?:distributedid|vertx|netty|micrometer))"
                    + "(?:\\.\\w+)*\\.[A-Z][\\w$]*|(?:[A-Za-z_]\\w*\\.)+[A-Z][\\w$]*(?:Exception|Error))\\b";

    /** On one line, as {@link Secrets#masked} returns it. */
    private static final Pattern TRACE =
            Pattern.compile("(?:^|\\s+)at [\\w$./@<>-]+\\((?:[\\w$]+\\.java|Native|Unknown).*");

    /** As {@link Throwable#toString} writes it. */
    private static final Pattern CLASS_AND_MESSAGE = Pattern.compile("\\b" + CLASS + ": ");

    private static final Pattern CLASS_ALONE = Pattern.compile("\\b" + CLASS);

    private final Secrets secrets;

    PublicText(Secrets secrets) {
        this.secrets = secrets;
    }

    /** On one line. */
    String of(String message) {
        String line = TRACE.matcher(secrets.masked(message)).replaceFirst("");
        return CLASS_ALONE
                .matcher(CLASS_AND_MESSAGE.matcher(line).replaceAll(""))
                .replaceAll(IN_PLACE_OF_CLASS);
    }
}
