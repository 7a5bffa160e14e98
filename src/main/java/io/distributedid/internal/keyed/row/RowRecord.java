package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The record of a sequence: the row {@link RowKey#RECORD}, whose number says in which way its numbers are taken.
 * Whoever inserts it first decides, since the table has one row for it. It is 4 if they come from sections. Otherwise
 * it is {@code first * 10^13 + token * 10^7 + servers * 10^4 + place * 10 + state}: server {@code place} (from 1) of
 * {@code servers}, with state 1 if numbers may be given, and 3 before, while the records of all servers are being
 * written. {@link RowAgreement} explains first and token of several servers. The state is 2 if numbers are taken in the
 * caller's transaction; then {@code place} and {@code servers} are 0.
 *
 * <p>First and token are random, so that no two records are the same: a process that has used one notices that the
 * table lost its rows, even if another process has begun the sequence anew since.
 *
 * @param first a random number of the first server, which the records of all servers have
 */
record RowRecord(Way way, long first, long token, int servers, int place, boolean isFinal) {

    enum Way {
        ROWS,
        GAPLESS,
        SECTIONS
    }

    static final RowRecord SECTIONS = new RowRecord(Way.SECTIONS, 0, 0, 0, 0, true);

    /** Tokens are below it. */
    static final long TOKENS = 1_000_000;

    /** Random numbers of first servers are below it. The largest number of a record is just below 2^63. */
    static final long FIRSTS = 900_000;

    static final int MOST_SERVERS = 999;

    private static final int FINAL = 1;

    private static final int PREPARED = 3;

    private static final int GAPLESS = 2;

    private static final long SECTIONS_NUMBER = 4;

    private static final String FROM_SECTIONS = "How to go over to rows: https://github.com/distributedid/distributedid"
            + "/blob/main/src/docs/numbers-per-key.md#from-sections-to-rows";

    private static final String ONE_WAY = "The numbers of a sequence must all be taken in one way: seq=";

    /** Of a sequence that is numbered by rows, outside of transactions. */
    static RowRecord of(long first, long token, int servers, int place, boolean isFinal) {
        return new RowRecord(Way.ROWS, first, token, servers, place, isFinal);
    }

    /** A new one for the only server of a sequence that is numbered by rows, outside of transactions. */
    static RowRecord ofSingleServer() {
        return of(random(FIRSTS), random(TOKENS), 1, 1, true);
    }

    /** A new one of a sequence that is numbered in transactions. */
    static RowRecord ofTransactions() {
        return new RowRecord(Way.GAPLESS, random(FIRSTS), random(TOKENS), 0, 0, true);
    }

    /** Not 0. */
    static long random(long bound) {
        return ThreadLocalRandom.current().nextLong(1, bound);
    }

    long number() {
        return switch (way) {
            case ROWS -> number(isFinal ? FINAL : PREPARED);
            case GAPLESS -> number(GAPLESS);
            case SECTIONS -> SECTIONS_NUMBER;
        };
    }

    private long number(int state) {
        return (((first * TOKENS + token) * 1000 + servers) * 1000 + place) * 10 + state;
    }

    static RowRecord parse(long number, String sequence, String where) {
        if (number == SECTIONS_NUMBER) {
            return SECTIONS;
        }
        long state = number % 10;
        long tokens = number / 10_000_000;
        RowRecord record = new RowRecord(
                state == GAPLESS ? Way.GAPLESS : Way.ROWS,
                tokens / TOKENS,
                tokens % TOKENS,
                (int) (number / 10_000 % 1000),
                (int) (number / 10 % 1000),
                state != PREPARED);
        if (state < FINAL || state > PREPARED || !record.isWellFormed()) {
            throw new IdConfigurationException("The record of a sequence is not one of this library: seq=" + sequence
                    + " number=" + number + " in the row '" + RowKey.RECORD + "', " + where
                    + ". Restore that row. A newer release of the library may have written it");
        }
        return record;
    }

    private boolean isWellFormed() {
        boolean isPlace = way == Way.GAPLESS ? place == 0 && servers == 0 : place >= 1 && place <= servers;
        return first >= 1 && first < FIRSTS && isPlace;
    }

    /** Throws unless the sequence is numbered by rows, and the settings name the same server at the same place. */
    void requireRows(int wantedServers, int wantedPlace, String sequence, String where) {
        switch (way) {
            case GAPLESS ->
                throw new IdConfigurationException(ONE_WAY + sequence + " is gapless, recorded at " + where
                        + ". Take them in the transaction: next(key, connection), or use another sequence");
            case SECTIONS ->
                throw new IdConfigurationException(ONE_WAY + sequence + " is numbered from memory, recorded at " + where
                        + ". Set distributedid.keyed.backend=section, or use another sequence. "
                        + FROM_SECTIONS);
            case ROWS -> requireServers(wantedServers, wantedPlace, sequence, where);
        }
    }

    private void requireServers(int wantedServers, int wantedPlace, String sequence, String where) {
        if (servers != wantedServers || place != wantedPlace) {
            throw new IdConfigurationException("The servers of a sequence must not change: seq=" + sequence
                    + " is recorded on server " + place + " of " + servers + ", but the settings make it server "
                    + wantedPlace + " of " + wantedServers + ", " + where + ". Restore the former list in "
                    + "distributedid.keyed.row.servers, or move all rows to their new servers first");
        }
    }

    /** Throws unless the numbers of the sequence are taken in transactions. */
    void requireGapless(String sequence, String where) {
        switch (way) {
            case ROWS ->
                throw new IdConfigurationException(ONE_WAY + sequence
                        + " is recorded as taken outside of transactions, " + where
                        + ". Leave out the connection, or use another sequence for numbers without gaps");
            case SECTIONS ->
                throw new IdConfigurationException(ONE_WAY + sequence + " is numbered from memory, recorded at " + where
                        + ". Set distributedid.keyed.backend"
                        + "=section and leave out the connection, or use another sequence for numbers without gaps");
            case GAPLESS -> {}
        }
    }

    /** Throws unless the sequence is numbered from sections. */
    void requireSections(String sequence, String where) {
        if (way != Way.SECTIONS) {
            throw hasRows(sequence, where);
        }
    }

    static IdConfigurationException hasRows(String sequence, String where) {
        return new IdConfigurationException(ONE_WAY + sequence + " has rows of keys already, " + where + ". Set "
                + "distributedid.keyed.backend=row, or use another sequence");
    }
}
