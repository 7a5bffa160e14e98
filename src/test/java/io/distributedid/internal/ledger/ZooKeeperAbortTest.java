package io.distributedid.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.zookeeper.ZooKeeperPlace;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ZooKeeperAbortTest {

    private static final int ROUNDS = 50;

    private static final Duration SESSION = Duration.ofSeconds(30);

    private static final int PASSWORD_BYTES = 16;

    private static final Duration LONG = Duration.ofSeconds(20);

    /** ZooKeeper's client would take the session for connected again, and its own end would wait for ever. */
    @Test
    void anAbortEndsThoughTheServerOpensTheSessionAtThatMoment() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            ZooKeeperPlace place = new ZooKeeperPlace("127.0.0.1:" + server.getLocalPort(), "/store", Optional.empty());
            for (int round = 0; round < ROUNDS; round++) {
                ZooKeeperLedger link = new ZooKeeperLedger.Source(place, false).connect(SESSION);
                try (Socket client = server.accept()) {
                    readRequest(client);
                    Thread end = new Thread(link::abort);
                    end.setDaemon(true);
                    OutputStream answer = client.getOutputStream();
                    answer.write(session(round + 1));
                    end.start();
                    end.join(LONG.toMillis());

                    assertThat(end.isAlive())
                            .as("the abort of round %s waits", round)
                            .isFalse();
                }
            }
        }
    }

    private static void readRequest(Socket client) throws IOException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        in.skipNBytes(in.readInt());
    }

    /** What a server answers to a client that asks for a session. */
    private static byte[] session(long id) {
        int length = 3 * Integer.BYTES + Long.BYTES + PASSWORD_BYTES + 1;
        return ByteBuffer.allocate(Integer.BYTES + length)
                .putInt(length)
                .putInt(0)
                .putInt((int) SESSION.toMillis())
                .putLong(id)
                .putInt(PASSWORD_BYTES)
                .array();
    }
}
