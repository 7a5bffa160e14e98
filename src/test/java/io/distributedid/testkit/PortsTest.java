package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Two builds that run at once choose no port twice, also while nobody listens at it. */
class PortsTest {

    private static final int MANY = 300;

    @Test
    void noPortIsTakenTwiceByTwoProcesses() throws Exception {
        Set<Integer> ours = new TreeSet<>();
        for (int i = 0; i < MANY; i++) {
            assertThat(ours.add(Ports.take())).as("a new port").isTrue();
        }
        Process other = JavaProcess.of("64m", PortsTest.class, Map.of()).start();
        String theirs = new String(other.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

        assertThat(theirs.lines().map(Integer::valueOf))
                .hasSize(MANY)
                .doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(ours);
    }

    /** The other process. */
    public static void main(String[] args) throws IOException {
        for (int i = 0; i < MANY; i++) {
            System.out.println(Ports.take());
        }
    }
}
