package io.distributedid.server;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a token may allow. */
enum Right {
    /** Taking ids. */
    IDS,
    /** Taking blocks. */
    BLOCKS,
    /** Reading what a sequence is, decoding ids, comparing existing ones. */
    READ,
    /** Raising counters. */
    RAISE,
    /** Reading the meters. */
    METRICS;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static String allowed() {
        return Arrays.stream(values()).map(Right::text).collect(Collectors.joining(", "));
    }
}
