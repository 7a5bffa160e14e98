package io.distributedid.spi;

/**
 * The place of the logical shard in ids that carry it. A router needs only this to find a row by its key. Immutable.
 *
 * @param bits the width of the shard, from 1
 * @param shift the width of the fields below it, from 0; at most 62 bits together
 */
public record IdShard(int bits, int shift) {

    /** @throws IllegalArgumentException if a width is not allowed */
    public IdShard {
        if (bits < 1 || shift < 0 || bits + shift > 62) {
            throw new IllegalArgumentException(
                    "The shard of an id must have 1 bit or more, and at most 62 together with the bits below it: bits="
                            + bits + " shift=" + shift);
        }
    }

    /**
     * Returns how many shards fit.
     *
     * @return the largest shard number plus 1
     */
    public long count() {
        return 1L << bits;
    }

    /**
     * Returns the shard in an id.
     *
     * @param id positive, of the same sequence; for another id the result is meaningless
     * @return from 0 to below {@link #count()}
     */
    public long of(long id) {
        return (id >>> shift) & (count() - 1);
    }
}
