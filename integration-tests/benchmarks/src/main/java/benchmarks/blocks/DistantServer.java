package benchmarks.blocks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;

/** A server at some distance: reserves ids and notes when. What it reserved is one run of numbers from 1. */
final class DistantServer implements LongUnaryOperator {

    private record Reservation(long at, long count) {}

    private final Duration distance;

    private final List<Reservation> reservations = new ArrayList<>();

    private long reserved;

    DistantServer(Duration distance) {
        this.distance = distance;
    }

    @Override
    public long applyAsLong(long count) {
        long answer = System.nanoTime() + distance.toNanos();
        while (System.nanoTime() < answer) {
            LockSupport.parkNanos(answer - System.nanoTime());
        }
        return reserve(count);
    }

    private synchronized long reserve(long count) {
        reservations.add(new Reservation(System.nanoTime(), count));
        long first = reserved + 1;
        reserved += count;
        return first;
    }

    /** The largest id so far. */
    synchronized long last() {
        return reserved;
    }

    synchronized long idsSince(long nanos) {
        return reservations.stream()
                .filter(reservation -> reservation.at >= nanos)
                .mapToLong(Reservation::count)
                .sum();
    }

    synchronized long tripsSince(long nanos) {
        return reservations.stream()
                .filter(reservation -> reservation.at >= nanos)
                .count();
    }
}
