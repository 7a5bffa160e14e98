package io.distributedid.server;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

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

    /** All, as settings name them. */
    static final Map<String, Right> BY_TEXT = new LinkedHashMap<>();

    static {
        for (Right right : values()) {
            BY_TEXT.put(right.text(), right);
        }
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
