package io.distributedid.maelstrom;

import io.distributedid.spi.Block;
import java.io.IOException;
import java.util.Optional;

/**
 * A ticket server's counter: of {@code step} servers, it has the numbers with one remainder. A block is reserved by a
 * compare-and-set of the last number, which is on the disk before the block is answered. Thread-safe.
 *
 * @param cell holds the last number that was reserved
 * @param first the lowest number, 1 to {@code step}
 * @param step how many servers there are
 */
record Counter(Cell cell, long first, long step) {

    /** So that no request can use the numbers up. */
    static final long MOST = 1_000_000;

    /** Reserves {@code count} numbers, 1 to {@value #MOST}. */
    Block reserve(long count) throws IOException, InterruptedException {
        while (true) {
            Optional<String> last = cell.read();
            Block block = new Block(last.map(Long::parseLong).orElse(first - step) + step, step, count);
            if (cell.compareAndSet(last, Long.toString(block.last()))) {
                return block;
            }
        }
    }
}
