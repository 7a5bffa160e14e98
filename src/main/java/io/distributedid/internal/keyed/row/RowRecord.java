package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The record of a sequence: the row {@link RowKey#RECORD}, whose number says in which way its numbers are taken.
 * Whoever inserts it first decides, since the table has one row for it. It is {@code token * 10 + way}, where way is 1
 * for rows, 2 for rows in the caller's transaction, and 3 for sections, whose token is 0.
 *
 * <p>Other tokens are random, so that no two records are the same: a process that has used one notices that the table
 * lost its rows, even if another process has begun the sequence anew since.
 *
 * @param token from 1, and below {@value #TOKENS}; 0 of sections
 */
public record RowRecord(Way way, long token) {

    /** In which way numbers are taken. */
    public enum Way {
        ROWS(
                1,
                "taken outside of transactions",
                "Leave out the connection, or use another sequence for numbers without gaps"),
        GAPLESS(2, "gapless", "Take them in the transaction: next(key, connection), or use another sequence"),
        SECTIONS(
                3,
                "numbered from memory",
                "Take them from the issuing service that gives them, or use another sequence. How to change to rows: "
                        + Pages.of("numbers-per-key-sections.md#from-sections-to-rows"));

        private final int digit;

        private final String words;

        private final String advice;

        Way(int digit, String words, String advice) {
            this.digit = digit;
            this.words = words;
            this.advice = advice;
        }

        private static Optional<Way> of(long number) {
            return Arrays.stream(values())
                    .filter(way -> way.digit == number % 10)
                    .findFirst();
        }

        private boolean allows(long token) {
            return this == SECTIONS ? token == 0 : token >= 1 && token < TOKENS;
        }

        /**
         * What to tell who takes numbers of a sequence of this way in another one.
         *
         * @param source how that is known
         */
        public IdConfigurationException refused(String sequence, String source) {
            return new IdConfigurationException(ONE_WAY + sequence + " is " + words + source + ". " + advice);
        }
    }

    static final RowRecord SECTIONS = new RowRecord(Way.SECTIONS, 0);

    static final long TOKENS = 900_000_000_000_000_000L;

    /** In front of the name of a sequence, where the application's database remembers its record. */
    public static final String PLACE = "@keyed/";

    private static final String ONE_WAY = "The numbers of a sequence must all be taken in one way: seq=";

    /** A new one of a sequence that is numbered by rows. */
    static RowRecord random(Way way, Platform platform) {
        return new RowRecord(way, platform.random(1, TOKENS));
    }

    long number() {
        return token * 10 + way.digit;
    }

    String text() {
        return Long.toString(number());
    }

    /** Reads a record. Throws if the numbers of the sequence are taken in another way than wanted. */
    static RowRecord parse(long number, Way wanted, String sequence, String where) {
        RowRecord record = parse(number, sequence, where);
        if (record.way != wanted) {
            throw wanted == Way.SECTIONS
                    ? hasRows(sequence, where)
                    : record.way.refused(sequence, ", recorded at " + where);
        }
        return record;
    }

    private static RowRecord parse(long number, String sequence, String where) {
        return Way.of(number)
                .filter(way -> way.allows(number / 10))
                .map(way -> new RowRecord(way, number / 10))
                .orElseThrow(() -> new IdConfigurationException(
                        "The record of a sequence is not one of this library: seq=" + sequence + " number=" + number
                                + " in the row '" + RowKey.RECORD + "', " + where
                                + ". Restore that row. A newer release of the library may have written it"
                                + Pages.onCall("keyed-lost")));
    }

    static IdConfigurationException hasRows(String sequence, String where) {
        return new IdConfigurationException(ONE_WAY + sequence + " has rows of keys already, " + where + ". Set "
                + "distributedid.keyed.backend=row, or use another sequence");
    }

    /** @param isAnother whether there is another record than before; otherwise there is none */
    static IdConfigurationException lost(boolean isAnother, String sequence, String where) {
        return new IdConfigurationException("A sequence has "
                + (isAnother ? "another record than before" : "no record any more")
                + ": seq=" + sequence + " " + where + ". The table has lost its rows, and keys would begin at 1 again,"
                + " or the address leads to another database. Restore its rows, or correct the address. If keys may"
                + " begin at 1, or this process started with a wrong address, restart all processes that use the"
                + " sequence; if the rows have a server of their own, delete the row '@place/" + PLACE + sequence
                + "' of the table distributedid in the application's database first" + Pages.onCall("keyed-lost"));
    }

    static SQLException deleted(String sequence) {
        return new SQLException("The record of a sequence was deleted while it was written: seq=" + sequence);
    }
}
