package io.distributedid.internal.keyed.row;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;

/**
 * The record of a sequence: the row with the empty key, whose number says how the sequence is used. It is 2 if numbers
 * are taken in the caller's transaction. Otherwise it is {@code token * 10^7 + servers * 10^4 + place * 10 + state}:
 * server {@code place} (from 1) of {@code servers}, with state 1 if numbers may be given, and 3 before, while the
 * records of all servers are being written. {@link RowAgreement} explains the token, which is 0 for a single server:
 * its record is 10011.
 */
record RowRecord(long token, int servers, int place, boolean isFinal, boolean isGapless) {

    static final long GAPLESS = 2;

    /** Tokens are below it. */
    static final long TOKENS = 1_000_000_000;

    static final int MOST_SERVERS = 999;

    private static final int FINAL = 1;

    private static final int PREPARED = 3;

    static RowRecord of(long token, int servers, int place, boolean isFinal) {
        return new RowRecord(token, servers, place, isFinal, false);
    }

    long number() {
        return isGapless ? GAPLESS : ((token * 1000 + servers) * 1000 + place) * 10 + (isFinal ? FINAL : PREPARED);
    }

    static RowRecord parse(long number, String sequence, String where) {
        if (number == GAPLESS) {
            return new RowRecord(0, 0, 0, true, true);
        }
        long state = number % 10;
        RowRecord record =
                of(number / 10_000_000, (int) (number / 10_000 % 1000), (int) (number / 10 % 1000), state == FINAL);
        if (number < 0 || (state != FINAL && state != PREPARED) || record.place < 1 || record.place > record.servers) {
            throw new IdConfigurationException("The record of a sequence is not one of this library: seq=" + sequence
                    + " number=" + number + " in the row with the empty key, " + where
                    + ". Restore that row. A newer release of the library may have written it");
        }
        return record;
    }

    /** Throws unless the settings name the same server at the same place. */
    void require(int wantedServers, int wantedPlace, String sequence, String where) {
        if (isGapless) {
            throw new IdConfigurationException("The numbers of a sequence must all be taken in one way: seq=" + sequence
                    + " is gapless, recorded at " + where
                    + ". Take them in the transaction: next(key, connection), or use another sequence");
        }
        if (servers != wantedServers || place != wantedPlace) {
            throw new IdConfigurationException("The servers of a sequence must not change: seq=" + sequence
                    + " is recorded on server " + place + " of " + servers + ", but the settings make it server "
                    + wantedPlace + " of " + wantedServers + ", " + where + ". Restore the former list in "
                    + DistributedIdSettings.KEYED_ROW_SERVERS + ", or move all rows to their new servers first");
        }
    }
}
