package io.distributedid.internal.process;

import java.util.Locale;

/** Leads from a message that asks an operator to act to its row in the page for whoever is on call. */
public final class OnCall {

    private OnCall() {}

    /** The end of the message. */
    public static String row(String anchor) {
        return ". See on-call.md#" + anchor;
    }

    /** The end of a message of which there is one for each constant. */
    public static String row(String about, Enum<?> kind) {
        return row(about + "-" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
}
