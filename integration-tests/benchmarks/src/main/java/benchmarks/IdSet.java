package benchmarks;

import java.util.HashMap;
import java.util.Map;

/**
 * Ids that were taken, as bits, none of them twice. A thread that notes its ascending ids writes to the same few bytes
 * again and again: that is cheap enough to be done while it is measured.
 */
public final class IdSet {

    private static final int CHUNK_BITS = 20;

    private static final int WORD_BITS = 6;

    private static final int WORDS = 1 << (CHUNK_BITS - WORD_BITS);

    private final Map<Long, long[]> chunks = new HashMap<>();

    private long lastKey = -1;

    private long[] lastChunk = {};

    private long size;

    /** Fails if it is there already. */
    public void add(long id) {
        long key = id >>> CHUNK_BITS;
        if (key != lastKey) {
            lastKey = key;
            lastChunk = chunks.computeIfAbsent(key, absent -> new long[WORDS]);
        }
        int word = (int) (id >>> WORD_BITS) & (WORDS - 1);
        long bit = 1L << id;
        if ((lastChunk[word] & bit) != 0) {
            throw twice(id);
        }
        lastChunk[word] |= bit;
        size++;
    }

    /** Fails if one of them is there already. */
    public void addAll(IdSet others) {
        others.chunks.forEach((key, words) -> {
            long[] chunk = chunks.computeIfAbsent(key, absent -> new long[WORDS]);
            for (int word = 0; word < WORDS; word++) {
                long both = chunk[word] & words[word];
                if (both != 0) {
                    throw twice((key << CHUNK_BITS) + ((long) word << WORD_BITS) + Long.numberOfTrailingZeros(both));
                }
                chunk[word] |= words[word];
            }
        });
        size += others.size;
    }

    private static IllegalStateException twice(long id) {
        return new IllegalStateException("An id was given twice: id=" + id);
    }

    /** How many there are. */
    public long size() {
        return size;
    }
}
