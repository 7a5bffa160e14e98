package io.distributedid.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A connection on which a test writes what no HTTP client would. */
final class RawClient implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 120_000;

    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)\r\n");

    /** An answer; the head has no empty line. */
    record Answer(String head, String body) {

        int status() {
            return Integer.parseInt(head.substring(9, 12));
        }
    }

    private final Socket socket;

    RawClient(RunningServer server) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    RawClient write(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
    }

    /** Reads the head of one answer, which has no body. Skips {@code 100 Continue}. */
    Answer readHead() throws IOException {
        String text = head();
        while (text.startsWith("HTTP/1.1 100 ")) {
            text = head();
        }
        return new Answer(text.strip(), "");
    }

    /** Reads one answer. Without a length it has no body. */
    Answer read() throws IOException {
        String head = readHead().head();
        Matcher length = LENGTH.matcher(head + "\r\n");
        int count = length.find() ? Integer.parseInt(length.group(1)) : 0;
        return new Answer(head, new String(socket.getInputStream().readNBytes(count), StandardCharsets.UTF_8));
    }

    private String head() throws IOException {
        InputStream in = socket.getInputStream();
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("The connection was closed after: " + head.toString(StandardCharsets.ISO_8859_1));
            }
            head.write(next);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    /** Waits until the server closes the connection. */
    boolean isClosed() throws IOException {
        return socket.getInputStream().read() < 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
