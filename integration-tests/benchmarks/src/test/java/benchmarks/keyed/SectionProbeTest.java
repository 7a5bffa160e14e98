package benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.distributedid.internal.keyed.source.KeyHash;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SectionProbeTest {

    private static final int SECTIONS = 50;

    private final List<Integer> answered = new CopyOnWriteArrayList<>();

    private final Set<Integer> refused = new HashSet<>();

    private HttpServer server;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/v1/keyed/messages/numbers", this::answer);
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    /** Each first request of an odd section is refused. */
    private void answer(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getQuery();
        int section = KeyHash.section(Long.parseLong(query.substring("key=".length())), SECTIONS);
        boolean isRefused = section % 2 == 1 && refused.add(section);
        if (!isRefused) {
            answered.add(section);
        }
        byte[] body = {'7'};
        exchange.sendResponseHeaders(isRefused ? 503 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Test
    void itEndsWhenAKeyOfEachSectionHasItsNumber() throws Exception {
        long begin = System.nanoTime();
        double millis = new SectionProbe(SECTIONS)
                .millisUntilAllAnswer(begin, server.getAddress().getPort());

        assertThat(millis).isPositive();
        assertThat(answered).hasSize(SECTIONS).doesNotHaveDuplicates();
        assertThat(refused).hasSize(SECTIONS / 2);
    }
}
