package io.distributedid.server;

import io.distributedid.internal.settings.Secrets;
import java.util.regex.Pattern;

/**
 * What callers may read of a message: neither secrets nor the inside of the program. Databases and their drivers write
 * what they like into their messages, names of Java classes and stack traces too. Immutable.
 *
 * <p>Callers choose what stands in some messages. So a text is cut before it is searched, and the patterns neither
 * recurse nor go back (possessive quantifiers): however a text is made, it takes little time and stack.
 */
final class PublicText {

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
}
