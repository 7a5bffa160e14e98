package io.distributedid.spi;

/**
 * Where the logical shard stands in ids that carry it: all that a router needs to find a row by its key.
 *
 * @param bits the width of the shard
 * @param shift the width of what stands below it
 */
public record IdShard(int bits, int shift) {

    /** @throws IllegalArgumentException if a width is not allowed */
    public IdShard {
        if (bits < 1 || shift < 0 || bits + shift > 62) {
            throw new IllegalArgumentException(
                    "The shard of an id must have 1 bit or more, and at most 62 together with what stands below it: bits="
                            + bits + " shift=" + shift);
        }
    }

    /**
     * How many shards there can be.
     *
     * @return numbers are from 0 to below it
     */
    public long count() {
        return 1L << bits;
    }

    /**
     * The shard of a row.
     *
     * @param id positive, of the sequence that this belongs to: of others it says nothing
     * @return 0 to below {@link #count()}
     */
    public long of(long id) {
        return (id >>> shift) & (count() - 1);
    }
}
