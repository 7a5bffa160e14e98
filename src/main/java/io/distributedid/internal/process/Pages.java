package io.distributedid.internal.process;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses of the documentation, for messages. */
public final class Pages {

    private static final String ALL = "https://github.com/distributedid/distributedid/blob/main/src/docs/";

    private static final Pattern ROW = Pattern.compile(Pattern.quote(onCall("")) + "[a-z-]+");

    private Pages() {}

    /** The address of a page, or of an anchor in it. */
    public static String of(String page) {
        return ALL + page;
    }

    /** The end of a message that asks an operator to act: where the page for whoever is on call has it. */
    public static String onCall(String anchor) {
        return ". See " + of("on-call.md#" + anchor);
    }

    /**
     * A message that contains those of causes, with one address of the page for whoever is on call, at its end: that of
     * the first cause that has one, which is nearer to what must be done.
     *
     * @param message ends with its own {@link #onCall(String)}
     */
    public static String withOneRow(String message) {
        Matcher rows = ROW.matcher(message);
        if (!rows.find()) {
            return message;
        }
        String first = rows.group();
        String rest = rows.replaceAll("");
        return rest + (rest.endsWith(".") ? first.substring(1) : first);
    }

    /** The end of a message of which there is one for each constant. */
    public static String onCall(String about, Enum<?> kind) {
        return onCall(about + "-" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
}
