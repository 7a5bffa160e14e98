package benchmarks.keyed;

import benchmarks.Fork;
import benchmarks.Heap;
import benchmarks.Logs;
import io.distributedid.internal.keyed.served.KeyMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM of 1.5 GiB that gives each of many keys its first number: what each takes of the heap. Its collector is the
 * parallel one, which adds nothing to the arrays of a map; G1 fills up whole regions.
 */
final class KeyBytes {

    private static final Duration AT_MOST = Duration.ofMinutes(5);

    private static final long MEMORY = 1_200L << 20;

    private KeyBytes() {}

    static double of(KeyShape shape, int keys) throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        Fork.lines(
                Path.of(System.getProperty("java.home")),
                AT_MOST,
                List.of("-Xmx1536m", "-XX:+UseParallelGC"),
                KeyBytes.class,
                List.of(shape.name(), Integer.toString(keys)),
                lines::add);
        return Double.parseDouble(lines.get(0));
    }

    /** Shape and number of keys. */
    public static void main(String[] args) throws Exception {
        Logs.quiet();
        KeyShape shape = KeyShape.valueOf(args[0]);
        int keys = Integer.parseInt(args[1]);
        Sections sections = new Sections(new KeyMemory(MEMORY));
        long before = Heap.used();
        for (int i = 0; i < keys; i++) {
            if (sections.next(shape.key(i)) != 1) {
                throw new IllegalStateException("A new key must begin at 1: key=" + shape.key(i));
            }
        }
        System.out.println((double) (Heap.used() - before) / keys);
        // The sections must be in use until here.
        System.exit(sections.current(shape.key(keys - 1)) == 1 ? 0 : 1);
    }
}
