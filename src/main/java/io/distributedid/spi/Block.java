package io.distributedid.spi;

/**
 * Reserved ids: the arithmetic progression {@code first, first + step, ..., first + (count - 1) * step}. With N servers
 * the step is N, and all blocks of one server have the same remainder (Flickr's odd and even ticket servers).
 *
 * @param first the smallest id, at least 1
 * @param step the distance between two ids, at least 1
 * @param count how many ids, at least 1
 */
public record Block(long first, long step, long count) {

    /** @throws IllegalArgumentException if an argument is not positive or the last id exceeds 2^63-1 */
    public Block {
        if (first < 1 || step < 1 || count < 1) {
            throw new IllegalArgumentException("first, step and count of a block must be positive: first=" + first
                    + " step=" + step + " count=" + count);
        }
        if (count - 1 > (Long.MAX_VALUE - first) / step) {
            throw new IllegalArgumentException("The last id of a block must be at most 2^63-1: first=" + first
                    + " step=" + step + " count=" + count);
        }
    }

    /**
     * Returns the largest id.
     *
     * @return {@code first + (count - 1) * step}
     */
    public long last() {
        return first + (count - 1) * step;
    }
}
