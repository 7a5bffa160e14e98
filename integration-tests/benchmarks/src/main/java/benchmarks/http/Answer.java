package benchmarks.http;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;

/**
 * An answer over HTTP/1.1, as far as it has come. It must have status 200 and a {@code Content-Length}. Reading makes
 * no objects, so that the JVM that sends requests hardly collects garbage.
 */
public final class Answer {

    private static final int LONGEST = 1 << 16;

    private static final byte[] OK = bytes("http/1.1 200");

    private static final byte[] CONTENT_LENGTH = bytes("content-length:");

    private static final byte[] CONNECTION_CLOSE = bytes("connection: close");

    private final ByteBuffer buffer = ByteBuffer.allocate(LONGEST);

    private final byte[] bytes = buffer.array();

    /** Where the first line begins that was not read. */
    private int line;

    /** Where the body begins; 0 before the head is complete. */
    private int body;

    private int bodyLength;

    private boolean isLast;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The next answer can come. */
    void clear() {
        buffer.clear();
        line = 0;
        body = 0;
        bodyLength = -1;
        isLast = false;
    }

    /** Reads what there is, and returns whether the answer is complete. */
    boolean readFrom(ReadableByteChannel channel) throws IOException {
        if (!buffer.hasRemaining()) {
            throw new IOException("An answer is longer than " + LONGEST + " bytes: " + text());
        }
        if (channel.read(buffer) < 0) {
            throw new EOFException("The server closed a connection before its answer was complete: " + text());
        }
        if (body == 0) {
            readHead();
        }
        if (body > 0 && buffer.position() > body + bodyLength) {
            throw new IOException("An answer is longer than its Content-Length: " + text());
        }
        return body > 0 && buffer.position() == body + bodyLength;
    }

    private void readHead() throws IOException {
        for (int i = line; i < buffer.position(); i++) {
            if (bytes[i] == '\n') {
                boolean isEmpty = i - line < 2;
                if (!isEmpty) {
                    readLine(i);
                }
                line = i + 1;
                if (isEmpty) {
                    endHead();
                    return;
                }
            }
        }
    }

    private void readLine(int end) throws IOException {
        if (line == 0 && !begins(OK)) {
            throw new IOException("The server gave no id: " + text());
        }
        if (begins(CONTENT_LENGTH)) {
            bodyLength = 0;
            for (int i = line + CONTENT_LENGTH.length; i < end; i++) {
                if (isDigit(bytes[i])) {
                    bodyLength = bodyLength * 10 + bytes[i] - '0';
                }
            }
        }
        isLast |= begins(CONNECTION_CLOSE);
    }

    private void endHead() throws IOException {
        body = line;
        if (bodyLength < 0) {
            throw new IOException("An answer must have a Content-Length: " + text());
        }
    }

    /** Whether the line begins so, in upper or lower case. */
    private boolean begins(byte[] lowerCase) {
        for (int i = 0; i < lowerCase.length; i++) {
            if (Character.toLowerCase(bytes[line + i]) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(byte character) {
        return character >= '0' && character <= '9';
    }

    /** Whether the server closes the connection now. */
    boolean isLast() {
        return isLast;
    }

    /** Takes each number in the body, and returns how many there were. */
    public int numbers(LongConsumer each) {
        int count = 0;
        int end = body + bodyLength;
        for (int i = body; i < end; i++) {
            if (isDigit(bytes[i])) {
                long number = 0;
                for (; i < end && isDigit(bytes[i]); i++) {
                    number = number * 10 + bytes[i] - '0';
                }
                each.accept(number);
                count++;
            }
        }
        return count;
    }

    /** All that has come. */
    public String text() {
        return new String(bytes, 0, buffer.position(), StandardCharsets.UTF_8);
    }
}
