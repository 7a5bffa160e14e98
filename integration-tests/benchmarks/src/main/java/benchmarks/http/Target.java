package benchmarks.http;

import java.time.Duration;

/**
 * A running server, as the JVM that sends requests knows it.
 *
 * @param port on the loopback address
 * @param pid of its process
 */
public record Target(int port, long pid) {

    /** From {@link #text}. */
    public static Target of(String text) {
        int colon = text.indexOf(':');
        return new Target(Integer.parseInt(text.substring(0, colon)), Long.parseLong(text.substring(colon + 1)));
    }

    /** As an argument of a JVM. */
    public String text() {
        return port + ":" + pid;
    }

    /** CPU time of its process since the start, which Linux reports in steps of 10 ms. */
    public Duration cpu() {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow(() -> new IllegalStateException("The server has ended: pid=" + pid));
    }
}
