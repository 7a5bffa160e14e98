package io.distributedid.mysql;

import io.distributedid.mysql.IdTaker.Load;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All ids of a fault run: whether one was given twice, and whether a tick of a worker number was used by two processes.
 * In memory, each id is a bit, and each tick of a number a short.
 */
final class IdAudit {

    private static final int BITS_IN_CHUNK = 16;

    private static final int TICKS_IN_CHUNK = 13;

    private static final int MOST_NAMED = 10;

    private final int sequenceBits;

    private final int workerBits;

    private final Map<Load, Map<Long, long[]>> given = new EnumMap<>(Load.class);

    /** The process that used a tick of a worker number, by all bits of the id but the sequence; 0 for none. */
    private final TreeMap<Long, short[]> users = new TreeMap<>();

    private final List<String> idsTwice = new ArrayList<>();

    private final List<String> ticksTwice = new ArrayList<>();

    private long ids;

    private long twice;

    /** For layouts of time, worker and sequence, in this order. */
    IdAudit(int workerBits, int sequenceBits) {
        this.workerBits = workerBits;
        this.sequenceBits = sequenceBits;
    }

    /** Reads all files of ids. */
    void readAll(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(IdTaker.ids(folder))) {
            for (Path file : files) {
                String[] name = file.getFileName().toString().split("-");
                Load load = Load.valueOf(name[0]);
                short run = Short.parseShort(name[2]);
                IdFile.read(file, id -> add(load, run, id));
            }
        }
    }

    private void add(Load load, short run, long id) {
        ids++;
        short user = use(id, run);
        long[] chunk = given.computeIfAbsent(load, absent -> new TreeMap<>())
                .computeIfAbsent(id >>> BITS_IN_CHUNK, absent -> new long[1 << (BITS_IN_CHUNK - 6)]);
        int word = (int) (id >>> 6) & (chunk.length - 1);
        if ((chunk[word] & 1L << id) != 0) {
            twice++;
            name(idsTwice, load + " " + id + " by processes " + user + " and " + run);
        }
        chunk[word] |= 1L << id;
    }

    /** Returns the first that has used the tick. */
    private short use(long id, short run) {
        long tick = id >>> sequenceBits;
        short[] chunk = users.computeIfAbsent(tick >>> TICKS_IN_CHUNK, absent -> new short[1 << TICKS_IN_CHUNK]);
        int place = (int) tick & (chunk.length - 1);
        if (chunk[place] == 0) {
            chunk[place] = run;
        } else if (chunk[place] != run) {
            name(
                    ticksTwice,
                    "tick " + (tick >>> workerBits) + " of worker " + worker(tick) + " by processes " + chunk[place]
                            + " and " + run);
        }
        return chunk[place];
    }

    private int worker(long tick) {
        return (int) tick & ((1 << workerBits) - 1);
    }

    private static void name(List<String> names, String name) {
        if (names.size() < MOST_NAMED) {
            names.add(name);
        }
    }

    long ids() {
        return ids;
    }

    /** How many ids were given that had been given before. */
    long twice() {
        return twice;
    }

    /** The first ids that were given twice. */
    List<String> idsTwice() {
        return idsTwice;
    }

    /** The first ticks of a number that two processes used. */
    List<String> ticksTwice() {
        return ticksTwice;
    }

    /** How often a worker number went from one process to another. */
    int takeovers() {
        short[] last = new short[1 << workerBits];
        int takeovers = 0;
        for (short[] chunk : users.values()) {
            for (int place = 0; place < chunk.length; place++) {
                int worker = worker(place);
                if (chunk[place] != 0 && chunk[place] != last[worker]) {
                    takeovers += last[worker] == 0 ? 0 : 1;
                    last[worker] = chunk[place];
                }
            }
        }
        return takeovers;
    }
}
