package benchmarks;

import java.lang.management.ManagementFactory;

/** The heap of this process. */
public final class Heap {

    private static final int COLLECTIONS = 5;

    private Heap() {}

    /** Bytes that are left after the garbage collector has found nothing more. */
    public static long used() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            Thread.sleep(100);
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
