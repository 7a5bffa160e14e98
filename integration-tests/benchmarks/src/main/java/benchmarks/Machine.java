package benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What numbers depend on, for charts: processor, Java, date and commit. What can't be found out is called unknown. */
final class Machine {

    private static final String UNKNOWN = "unknown";

    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    private Machine() {}

    /** For example {@code AMD EPYC, 2 processors, Java 17.0.15, 2026-11-22, commit e220549}. */
    static String text() {
        return processor() + ", " + Runtime.getRuntime().availableProcessors() + " processors, Java "
                + System.getProperty("java.version") + ", " + LocalDate.now(ZoneOffset.UTC) + ", commit " + commit();
    }

    private static String processor() {
        if (Files.isReadable(CPU_INFO)) {
            try (Stream<String> lines = Files.lines(CPU_INFO)) {
                Optional<String> name = processor(lines.toList());
                if (name.isPresent()) {
                    return name.get();
                }
            } catch (IOException e) {
                // The architecture is all that is known.
            }
        }
        return "processor " + System.getProperty("os.arch");
    }

    /** As {@code /proc/cpuinfo} names it; ARM's does not. */
    static Optional<String> processor(List<String> cpuInfo) {
        return cpuInfo.stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1)
                        .replaceAll("\\s+", " ")
                        .trim())
                .filter(name -> !name.isEmpty())
                .findFirst();
    }

    /** Of the folder in which the benchmarks were started. Charts that this run has drawn anew are no change. */
    private static String commit() {
        String commit = git("rev-parse", "--short", "HEAD");
        String changes = git("status", "--porcelain", "--untracked-files=no", "--", ":(exclude,top)*.svg");
        return commit.equals(UNKNOWN) || changes.isEmpty() ? commit : commit + " with changes";
    }

    private static String git(String... arguments) {
        try {
            Process git = new ProcessBuilder(Stream.concat(Stream.of("git"), Stream.of(arguments))
                            .toList())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            return git.waitFor(10, TimeUnit.SECONDS) && git.exitValue() == 0 ? said : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        }
    }
}
