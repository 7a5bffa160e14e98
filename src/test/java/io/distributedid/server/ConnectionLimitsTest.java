package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** What a connection may keep the server from, and for how long. */
class ConnectionLimitsTest {

    private static final String LIVE = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private static RunningServer server(String name, Object... more) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("backend", "memory");
        settings.put("server.sequences", name);
        for (int i = 0; i < more.length; i += 2) {
            settings.put((String) more[i], more[i + 1]);
        }
        return RunningServer.with(settings);
    }

    /** Besides that of the client that asks. */
    private static boolean isAlone(RunningServer server) {
        return server.get("/metrics").body().contains("distributedid_server_connections 1.0");
    }

    @Test
    void someRequestsMayBeSentBeforeAnAnswerIsTaken() throws IOException {
        try (RunningServer server = server("connections_some");
                RawClient client = new RawClient(server)) {
            for (int round = 0; round < 3; round++) {
                client.write(LIVE.repeat(Traffic.MOST_PIPELINED));
                for (int i = 0; i < Traffic.MOST_PIPELINED; i++) {
                    assertThat(client.read().status()).isEqualTo(200);
                }
            }
        }
    }

    /** Otherwise the answers of one connection fill the memory. */
    @Test
    void aClientThatTakesNoAnswersIsCutOff() throws IOException {
        try (RunningServer server = server("connections_deaf", "server.idle_timeout", "1h");
                RawClient client = new RawClient(server)) {
            String request = "GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n";
            try {
                client.write(request.repeat(2_000));
            } catch (SocketException e) {
                assertThat(e).hasMessageContaining("reset");
            }

            Await.until("the connection is closed", () -> isAlone(server));
        }
    }

    /** Vert.x keeps requests behind one that waits, and reads on. */
    @Test
    void aClientThatSendsManyRequestsBehindOneThatWaitsIsCutOff() throws IOException {
        ScriptedBackendProvider.script("connections_wait");
        try (RunningServer server = server(
                        "connections_wait", "backend", ScriptedBackendProvider.NAME, "server.idle_timeout", "1h");
                RawClient client = new RawClient(server)) {
            client.write("POST /v1/sequences/connections_wait/ids HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    + LIVE.repeat(Traffic.MOST_PIPELINED));

            Await.until("the connection is closed", () -> isAlone(server));
        }
    }

    /** With a header of HTTP2-Settings that is none, Vert.x would answer itself, without any of our limits. */
    @Test
    void noConnectionIsUpgraded() throws IOException {
        try (RunningServer server = server("connections_upgrade");
                RawClient client = new RawClient(server)) {
            client.write("GET /health/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\n"
                    + "Connection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: !\r\n\r\n");

            assertThat(client.read().status()).isEqualTo(200);
        }
    }

    @Test
    void aHeaderThatArrivesByteByByteHasADeadline() throws IOException {
        try (RunningServer server = server("connections_drip", "server.idle_timeout", "1s");
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(100);
            socket.getOutputStream().write("GET /health/live HTTP/1.1\r\nX-Long: ".getBytes(StandardCharsets.US_ASCII));

            Await.until("the connection is closed", () -> isClosedAfter(socket, new byte[] {'x'}));
        }
    }

    /** PING keeps the transport alive, and is no request. */
    @Test
    void aConnectionOfHttp2WithoutARequestHasADeadlineToo() throws IOException {
        byte[] ping = {0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
        try (RunningServer server = RunningServer.ofHttp2(Map.of(
                        "backend", "memory", "server.sequences", "connections_ping", "server.idle_timeout", "1s"));
                SSLSocket socket = (SSLSocket) server.client()
                        .sslContext()
                        .getSocketFactory()
                        .createSocket(InetAddress.getLoopbackAddress(), server.port())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            socket.setSoTimeout(100);
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});

            Await.until("the connection is closed", () -> isClosedAfter(socket, ping));
        }
    }

    private static boolean isClosedAfter(Socket socket, byte[] next) throws IOException {
        try {
            socket.getOutputStream().write(next);
            return socket.getInputStream().readNBytes(1_000).length < 1_000;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            return true;
        }
    }

    @Test
    void whenThereAreTooManyThoseWithoutARequestGoFirst() throws IOException {
        try (RunningServer server = server("connections_full", "server.max_connections", 3, "server.threads", 1);
                RawClient busy = new RawClient(server)) {
            assertThat(busy.write(LIVE).read().status()).isEqualTo(200);
            try (RawClient silent = new RawClient(server);
                    RawClient later = new RawClient(server);
                    RawClient fourth = new RawClient(server)) {
                assertThat(fourth.write(LIVE).read().status()).isEqualTo(200);
                assertThat(silent.isClosed()).isTrue();
                try (RawClient fifth = new RawClient(server)) {
                    assertThat(fifth.write(LIVE).read().status()).isEqualTo(200);
                    assertThat(later.isClosed()).isTrue();
                    assertThat(busy.write(LIVE).read().status()).isEqualTo(200);
                }
            }
        }
    }
}
