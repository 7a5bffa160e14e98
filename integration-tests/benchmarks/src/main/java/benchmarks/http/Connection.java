package benchmarks.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * A connection with keep-alive that sends requests, one after the other. Is opened again when the server closes it with
 * an answer, as Tomcat does after a hundred.
 */
final class Connection implements AutoCloseable {

    private final InetSocketAddress server;

    private final Selector selector;

    private final ByteBuffer request;

    /** Where the key begins in the request. */
    private final int keyAt;

    private final int keys;

    private final SplittableRandom random;

    private final Answer answer = new Answer();

    private SocketChannel channel;

    private int number;

    /** @param seed of the keys that it draws */
    Connection(int port, RequestPath path, long seed, Selector selector) throws IOException {
        this.selector = selector;
        keys = path.keys();
        random = new SplittableRandom(seed);
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        String begin = "POST " + path.text();
        keyAt = begin.length();
        byte[] bytes = (begin + (keys == 0 ? "" : RequestPath.FIRST_KEY) + " HTTP/1.1\r\nHost: 127.0.0.1:" + port
                        + "\r\nContent-Length: 0\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        request = ByteBuffer.allocateDirect(bytes.length).put(bytes);
        channel = open();
    }

    private SocketChannel open() throws IOException {
        SocketChannel opened = SocketChannel.open(server);
        opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
        opened.configureBlocking(false);
        opened.register(selector, SelectionKey.OP_READ, this);
        return opened;
    }

    /** Sends a request, which has a number for its caller. */
    void send(int newNumber) throws IOException {
        number = newNumber;
        answer.clear();
        request.flip();
        if (keys > 0) {
            drawKey();
        }
        while (request.hasRemaining()) {
            channel.write(request);
        }
    }

    private void drawKey() {
        int key = RequestPath.FIRST_KEY + random.nextInt(keys);
        for (int i = keyAt + RequestPath.KEY_DIGITS - 1; i >= keyAt; i--) {
            request.put(i, (byte) ('0' + key % 10));
            key /= 10;
        }
    }

    /** Of the last request. */
    int number() {
        return number;
    }

    /** Reads what there is, and returns whether the answer is complete. */
    boolean receive() throws IOException {
        boolean isComplete = answer.readFrom(channel);
        if (isComplete && answer.isLast()) {
            channel.close();
            channel = open();
        }
        return isComplete;
    }

    /** To the last request, until the next one is sent. */
    Answer answer() {
        return answer;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
