package io.distributedid.internal.counter;

/**
 * A server's part of the id space: the numbers {@code offset, offset + increment, ...}. Two servers with the same
 * increment and different offsets never give the same number.
 *
 * @param increment the distance between two ids of one server, at least the number of servers
 * @param offset 1 to {@code increment}
 */
public record Numbering(long increment, long offset) {

    /** Whether a number, which is not negative, belongs to the server. */
    public boolean holds(long id) {
        return Math.floorMod(id - offset, increment) == 0;
    }

    /** The server's smallest number that is not below {@code id}, which is at least 0. */
    public long atLeast(long id) {
        return id + Math.floorMod(offset - id, increment);
    }

    /**
     * The server's next number after {@code last}, which is 0 or less if there is none; {@link Long#MAX_VALUE} if
     * {@code last} is the server's largest number.
     */
    public long after(long last) {
        long next = atLeast(Math.max(0, last) + 1);
        return next > 0 ? next : Long.MAX_VALUE;
    }

    /** The value of a counter whose next number is the server's first one above an id; never negative. */
    public long before(long above) {
        if (above == Long.MAX_VALUE) {
            return above;
        }
        long first = atLeast(above + 1);
        return first >= increment ? first - increment : first;
    }

    /** For messages: {@code increment=2 offset=1}. */
    @Override
    public String toString() {
        return "increment=" + increment + " offset=" + offset;
    }
}
