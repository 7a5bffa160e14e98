package benchmarks.service;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * A connection with keep-alive that sends the same request again and again, one after the other. Is opened again when
 * the server closes it with an answer, as Tomcat does after a hundred.
 */
final class Connection implements AutoCloseable {

    private final InetSocketAddress server;

    private final Selector selector;

    private final ByteBuffer request;

    private final Answer answer = new Answer();

    private SocketChannel channel;

    private int number;

    Connection(int port, String path, Selector selector) throws IOException {
        this.selector = selector;
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        byte[] bytes = ("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nContent-Length: 0\r\n\r\n")
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
        while (request.hasRemaining()) {
            channel.write(request);
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
