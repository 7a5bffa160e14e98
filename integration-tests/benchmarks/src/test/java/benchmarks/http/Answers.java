package benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;

/** Answers that have come. */
public final class Answers {

    private Answers() {}

    /** A complete one. */
    public static Answer with(String body) throws IOException {
        String text = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        Answer answer = new Answer();
        answer.clear();
        assertThat(answer.readFrom(
                        Channels.newChannel(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)))))
                .isTrue();
        return answer;
    }
}
