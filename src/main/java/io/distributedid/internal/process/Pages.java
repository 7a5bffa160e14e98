package io.distributedid.internal.process;

import java.util.Locale;

/** Addresses of the documentation, for messages. */
public final class Pages {

    private static final String ALL = "https://github.com/distributedid/distributedid/blob/main/src/docs/";

    private Pages() {}

    /** The address of a page, or of an anchor in it. */
    public static String of(String page) {
        return ALL + page;
    }

    /** The end of a message that asks an operator to act: where the page for whoever is on call has it. */
    public static String onCall(String anchor) {
        return ". See " + of("on-call.md#" + anchor);
    }

    /** The end of a message of which there is one for each constant. */
    public static String onCall(String about, Enum<?> kind) {
        return onCall(about + "-" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
}
