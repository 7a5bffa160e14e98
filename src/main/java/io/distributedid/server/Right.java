package io.distributedid.server;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
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

    /** Those of a token that names none. */
    static final Set<Right> USUAL = Set.of(IDS, BLOCKS, READ);

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Empty unless all words are rights. */
    static Optional<Set<Right>> parse(Iterable<String> words) {
        Set<Right> rights = EnumSet.noneOf(Right.class);
        for (String word : words) {
            Optional<Right> right = Arrays.stream(values())
                    .filter(each -> each.text().equals(word))
                    .findFirst();
            if (right.isEmpty()) {
                return Optional.empty();
            }
            rights.add(right.get());
        }
        return Optional.of(rights);
    }

    static String allowed() {
        return Arrays.stream(values()).map(Right::text).collect(Collectors.joining(", "));
    }
}
