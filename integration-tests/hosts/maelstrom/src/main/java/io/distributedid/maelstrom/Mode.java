package io.distributedid.maelstrom;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Where the ids of the nodes come from. */
public enum Mode {
    /** Snowflake; worker numbers are leased from Maelstrom's linearizable service. */
    LIN_KV,
    /** Snowflake; worker numbers are leased from the first node, which keeps them in a file. */
    FIRST_NODE,
    /** Blocks of the first two nodes, which count odd and even numbers, each in a file. */
    TICKETS,
    /** Snowflake; worker numbers are leased from a service that loses writes. Gives ids twice. */
    LWW_KV;

    /** As it is written on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean keepsFiles() {
        return this == FIRST_NODE || this == TICKETS;
    }

    static Mode of(String text) {
        return Arrays.stream(values())
                .filter(mode -> mode.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no such mode: mode=" + text + ", allowed: "
                        + Arrays.stream(values()).map(Mode::text).collect(Collectors.joining(", "))));
    }
}
