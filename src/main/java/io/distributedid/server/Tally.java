package io.distributedid.server;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the requests that wait, up to a bound. Thread-safe. */
final class Tally {

    private final AtomicInteger count = new AtomicInteger();

    private final int most;

    Tally(int most) {
        this.most = most;
    }

    /** @throws Problem if as many requests as may wait do so already */
    void up() {
        if (count.incrementAndGet() > most) {
            count.decrementAndGet();
            throw new Problem(
                    ProblemType.UNAVAILABLE,
                    "Too many requests wait already: waiting=" + most + ". Send fewer at once, or use another server");
        }
    }

    void down() {
        count.decrementAndGet();
    }

    int count() {
        return count.get();
    }
}
