package io.distributedid.soak.fault;

import java.util.Set;

/**
 * A fault that happened.
 *
 * @param begin in nanoseconds of the machine's monotonic clock
 * @param end when it was over; what it hit may need a moment to work again
 * @param fault its kind
 * @param detail where, for people
 * @param down names of the servers and applications that could not answer meanwhile
 */
public record Incident(long begin, long end, Fault fault, String detail, Set<String> down) {

    boolean overlaps(long from, long to, long grace) {
        return begin <= to && end + grace >= from;
    }
}
