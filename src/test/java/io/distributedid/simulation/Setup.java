package io.distributedid.simulation;

import io.distributedid.internal.counter.CountingSettings;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the servers and the processes of a run are set up.
 *
 * @param isTickets whether each sequence has a ticket table of its own; else all are rows of one sequence table
 * @param isShared whether all sequences draw from one ticket table
 * @param servers how many divide the numbers between them
 * @param increment of the servers, if each has its own numbering and may have room for more; 0 if clients number them
 *     by their place in the list
 * @param sequences how many there are
 * @param blockMin ids in a block, at least
 * @param blockMax at most; 1 is strict
 * @param failover what is set for a replica that takes a server's place
 * @param isFull whether the column of the last sequence ends soon
 * @param isNarrow whether the type of the first sequence's property ends soon
 * @param troubleOneIn one request in so many goes wrong; 0 for none
 * @param switchOneIn threads take turns once in so many steps
 */
record Setup(
        boolean isTickets,
        boolean isShared,
        int servers,
        int increment,
        int sequences,
        long blockMin,
        long blockMax,
        String failover,
        boolean isFull,
        boolean isNarrow,
        int troubleOneIn,
        int switchOneIn) {

    static final long SOON = 90;

    private static final List<String> NAMES = List.of("photos", "users", "likes");

    boolean isNumberedByServer() {
        return increment > 0;
    }

    boolean isStrict() {
        return blockMax == 1;
    }

    List<String> names() {
        return NAMES.subList(0, sequences);
    }

    MemoryKey key(String sequence) {
        return new MemoryKey(isShared ? "all" : sequence, isTickets);
    }

    List<MemoryKey> keys() {
        return names().stream().map(this::key).distinct().toList();
    }

    long columnEnd(String sequence) {
        return isFull && sequence.equals(NAMES.get(sequences - 1)) ? SOON : Long.MAX_VALUE;
    }

    long typeEnd(String sequence) {
        return isNarrow && sequence.equals(NAMES.get(0)) ? SOON : Long.MAX_VALUE;
    }

    /** Whether a sequence may run out of ids. */
    boolean ends(String sequence) {
        return columnEnd(sequence) == SOON || typeEnd(sequence) == SOON;
    }

    Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>();
        settings.put("distributedid.block.timeout", "3s");
        settings.put("distributedid.block.min", Long.toString(blockMin));
        settings.put("distributedid.block.max", Long.toString(blockMax));
        settings.put(CountingSettings.FAILOVER.name(), failover);
        settings.put(CountingSettings.MAX_DISTANCE.name(), "1000000");
        return settings;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d %s, %s, %d sequence(s), blocks of %d to %d, failover=%s%s%s; one request in %d goes wrong, threads"
                        + " take turns once in %d steps",
                servers,
                isShared
                        ? "server(s) with one ticket table for all"
                        : isTickets ? "ticket server(s)" : "server(s) with a sequence table",
                isNumberedByServer() ? "increment=" + increment : "numbered by their place",
                sequences,
                blockMin,
                blockMax,
                failover,
                isFull ? ", the last sequence's column ends at " + SOON : "",
                isNarrow ? ", the first sequence's type ends at " + SOON : "",
                troubleOneIn,
                switchOneIn);
    }
}
