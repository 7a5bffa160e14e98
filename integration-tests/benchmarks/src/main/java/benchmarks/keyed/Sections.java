package benchmarks.keyed;

import io.distributedid.internal.keyed.served.KeyMemory;
import io.distributedid.internal.keyed.served.Section;
import io.distributedid.internal.keyed.source.KeyHash;
import io.distributedid.internal.process.Platform;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * All keys of a sequence in the process that owns them: as many sections as by default, whose leases a thread renews
 * until the process ends.
 */
final class Sections {

    private static final int COUNT = 64;

    private static final long BETWEEN_WORK = 1_000_000;

    private final OwnedRow[] rows;

    private final Section[] sections;

    /** Owns all sections. */
    Sections(KeyMemory memory) {
        rows = IntStream.range(0, COUNT)
                .mapToObj(number -> new OwnedRow(memory, Platform.JVM, 0))
                .toArray(OwnedRow[]::new);
        sections = new Section[COUNT];
        for (int i = 0; i < COUNT; i++) {
            rows[i].work();
            sections[i] = rows[i].section();
        }
        Thread owner = new Thread(this::work, "owner");
        owner.setDaemon(true);
        owner.start();
    }

    private void work() {
        while (true) {
            for (OwnedRow row : rows) {
                row.work();
            }
            LockSupport.parkNanos(BETWEEN_WORK);
        }
    }

    /** The next number of a key. */
    long next(long key) {
        Section section = sections[KeyHash.section(key, COUNT)];
        long number = section.next(key, 1);
        while (number < 0) {
            if (number == Section.KEYS_FULL) {
                throw new IllegalStateException("The memory for keys is used up: key=" + key);
            }
            Thread.onSpinWait();
            number = section.next(key, 1);
        }
        return number;
    }

    /** The last number of a key. */
    long current(long key) {
        return sections[KeyHash.section(key, COUNT)].current(key);
    }
}
