package io.distributedid.internal.counter;

/**
 * A server's part of the id space: the numbers {@code offset, offset + increment, ...}. Two servers with the same
 * increment and different offsets never give the same number.
 *
 * @param increment the distance between two ids of one server, at least the number of servers
 * @param offset 1 to {@code increment}
 */
public record Numbering(long increment, long offset) {

    /**
     * Whether a number belongs to the server.
     *
     * @param id not negative
     * @return whether it has the server's remainder
     */
    public boolean holds(long id) {
        return Math.floorMod(id - offset, increment) == 0;
    }

    /**
     * The server's smallest number that is not below another.
     *
     * @param id at least 0
     * @return {@code id} or a little more
     */
    public long atLeast(long id) {
        return id + Math.floorMod(offset - id, increment);
    }

    /**
     * The number that follows.
     *
     * @param last the server's last number; 0 or less if there is none
     * @return the server's next number
     */
    public long after(long last) {
        return atLeast(Math.max(0, last) + 1);
    }

    /** As in messages: {@code increment=2 offset=1}. */
    @Override
    public String toString() {
        return "increment=" + increment + " offset=" + offset;
    }
}
