package benchmarks;

import io.distributedid.spi.Setting;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Settings and names of sequences that count on servers. */
public final class Counters {

    private Counters() {}

    /** Of a backend whose clients create its table. */
    public static Map<String, Object> settings(String backend, List<String> urls) {
        String prefix = Setting.PREFIX + backend;
        return Map.of(
                "distributedid.backend",
                backend,
                prefix + ".servers",
                String.join(",", urls),
                "distributedid.create_tables",
                true);
    }

    /** From {@code s0000} on. */
    public static List<String> names(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> String.format(Locale.ROOT, "s%04d", number))
                .toList();
    }
}
