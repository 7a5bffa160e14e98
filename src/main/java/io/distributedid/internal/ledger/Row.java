package io.distributedid.internal.ledger;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.StoredText;
import io.distributedid.internal.process.Pages;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * One fact in a {@link Ledger}.
 *
 * @param name names of rows are equal only if all their characters are
 * @param version of its last change; what only raises {@code number} changes no version
 * @param number of a counter, the last id that was drawn, which never falls; of a lease, its bound
 * @param state whether ids may be drawn, or leases taken, under this version
 * @param text whatever else
 */
public record Row(String name, Version version, long number, State state, Fields text) {

    /** Whether a row, or the store that it describes, may be used. */
    public enum State {
        /** The row has no state. */
        NONE,
        /** Created by a first use, and not opened yet. */
        NEW,
        OPEN,
        /** Created by a move for its target, and not opened yet. */
        MADE,
        /** By an operator's command, which did not open it yet. */
        CLOSED,
        /** Ids were lost: whoever found it marked the row, which only an operator's command opens. */
        LOST,
        /** It has gone to another place, which the text names. */
        MOVED
    }

    static final int NAME_LENGTH = 160;

    static final int STATE_LENGTH = 10;

    static final int TEXT_LENGTH = 2000;

    /** No space at an end, which MySQL ignores; no control character, which PostgreSQL refuses. */
    private static final Pattern NAME = Pattern.compile("[^\\s\\p{Cntrl}-]([^\\p{Cntrl}]*[^\\s\\p{Cntrl}])?");

    /** Checks the length of the name, since MySQL truncates without an error unless it is in strict mode. */
    public Row {
        if (name.length() > NAME_LENGTH || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("The name of a row of the ledger has 1 to " + NAME_LENGTH
                    + " characters, no - in front, and no space at an end: name=" + name);
        }
    }

    /**
     * Reads a row as it is stored.
     *
     * @throws IdConfigurationException if this version of the library does not know what it means
     */
    public static Row stored(String name, String version, long number, String state, String text) {
        Fields fields = Fields.parse(StoredText.read(text))
                .orElseThrow(() -> unknown(name, "text", text, "fields as in token=7f3a, each once"));
        if (!fields.get(Fields.FORMAT).orElse(Fields.KNOWN_FORMAT).equals(Fields.KNOWN_FORMAT)) {
            throw unknown(name, "text", text, Fields.FORMAT + "=" + Fields.KNOWN_FORMAT);
        }
        return new Row(
                name,
                Version.parse(version)
                        .orElseThrow(
                                () -> unknown(name, "version", version, "a count and a random text, as in 17-a01f")),
                number,
                Arrays.stream(State.values())
                        .filter(each -> each.name().equals(state))
                        .findAny()
                        .orElseThrow(() -> unknown(name, "state", state, Arrays.toString(State.values()))),
                fields);
    }

    /** As a store without columns keeps it beside its name: {@code 17-a01f 1099 OPEN token=7f3a}. */
    String line() {
        return version + " " + number + " " + state + " " + storedText();
    }

    /** Reads what {@link #line} wrote. */
    static Row ofLine(String name, String line) {
        String[] parts = line.split(" ", 4);
        try {
            return stored(name, parts[0], Long.parseLong(parts[1]), parts[2], parts[3]);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw unknown(name, "content", line, "version, number, state and text, as in 17-a01f 1099 OPEN token=7f3a");
        }
    }

    private static IdConfigurationException unknown(String row, String what, String found, String allowed) {
        return new IdConfigurationException("A row of the ledger has an unknown " + what + ": row=" + row + " " + what
                + "=" + found + ", allowed: " + allowed + ". Use the version of this library that wrote it, or undo"
                + " the change that was made by hand" + Pages.onCall("changed-by-hand"));
    }

    /** Checks its length, as the constructor checks that of the name. */
    String storedText() {
        String written = text.toString();
        if (written.length() >= TEXT_LENGTH) {
            throw new IllegalArgumentException("The text of a row of the ledger has less than " + TEXT_LENGTH
                    + " characters: row=" + name + " length=" + written.length());
        }
        return StoredText.of(written);
    }
}
