package io.distributedid.ticket;

/**
 * A server's part of the id space: the numbers {@code offset, offset + increment, ...}. Two servers with the same increment and
 * different offsets never give the same number.
 *
 * @param increment the distance between two ids of one server, at least the number of servers
 * @param offset 1 to {@code increment}
 */
record Numbering(long increment, long offset) {

    /** {@code auto_increment_increment} is at most this on MySQL and MariaDB. */
    static final long MAX_INCREMENT = 65_535;

    boolean holds(long id) {
        return Math.floorMod(id - offset, increment) == 0;
    }

    /** How many ids one fetch can reserve. */
    long maxBlock() {
        return MAX_INCREMENT / increment;
    }

    @Override
    public String toString() {
        return "increment=" + increment + " offset=" + offset;
    }
}
