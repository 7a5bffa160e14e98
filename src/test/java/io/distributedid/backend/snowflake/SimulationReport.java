package io.distributedid.backend.snowflake;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** What happened in a simulation. */
final class SimulationReport {

    static final String WINDOW_ENDED = "The window has ended";

    private final TreeMap<String, Long> refusals = new TreeMap<>();

    private final List<Long> firstIds = new ArrayList<>();

    private long cleanStops;

    private long crashes;

    private long jumps;

    private long pauses;

    private long outages;

    private long failedStarts;

    void restart(boolean cleanly) {
        cleanStops += cleanly ? 1 : 0;
        crashes += cleanly ? 0 : 1;
    }

    void jump() {
        jumps++;
    }

    void pause() {
        pauses++;
    }

    void outage() {
        outages++;
    }

    void startFailed() {
        failedStarts++;
    }

    /** Counted by the first words of the message. */
    void refused(String message) {
        String[] words = message.split("[ :]+", 7);
        refusals.merge(String.join(" ", Arrays.copyOf(words, Math.min(6, words.length))), 1L, Long::sum);
    }

    /** @param micros since the start */
    void firstId(long micros) {
        firstIds.add(micros);
    }

    /** Forgets the times to first ids. */
    List<Long> takeFirstIds() {
        List<Long> taken = firstIds.stream().sorted().toList();
        firstIds.clear();
        return taken;
    }

    long restarts() {
        return cleanStops + crashes;
    }

    long outages() {
        return outages;
    }

    long failedStarts() {
        return failedStarts;
    }

    TreeMap<String, Long> refusals() {
        return refusals;
    }

    @Override
    public String toString() {
        return restarts() + " restarts (" + crashes + " crashes, " + cleanStops + " clean stops), " + failedStarts
                + " failed starts, " + jumps + " jumps of clocks, " + pauses + " pauses, " + outages + " outages";
    }
}
