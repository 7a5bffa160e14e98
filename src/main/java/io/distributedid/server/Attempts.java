package io.distributedid.server;

import io.distributedid.DistributedIdException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Attempts of a few threads, for many requests that wait. All that had come before a failed attempt began get its
 * error: each of them has waited at least as long as one caller waits. Thread-safe.
 */
final class Attempts {

    /** @param began by {@link System#nanoTime} */
    private record Failed(long began, DistributedIdException failure) {}

    private final Predicate<DistributedIdException> isShared;

    /** The last one; null if there was none. */
    private volatile @Nullable Failed failed;

    /** @param isShared whether a failure is that of the other requests too */
    Attempts(Predicate<DistributedIdException> isShared) {
        this.isShared = isShared;
    }

    /** @param since when the request came, by {@link System#nanoTime} */
    <T> T attempt(long since, Supplier<T> work) {
        Failed last = failed;
        if (last != null && last.began - since > 0) {
            throw last.failure;
        }
        long began = System.nanoTime();
        try {
            return work.get();
        } catch (DistributedIdException e) {
            if (isShared.test(e)) {
                failed = new Failed(began, e);
            }
            throw e;
        }
    }
}
