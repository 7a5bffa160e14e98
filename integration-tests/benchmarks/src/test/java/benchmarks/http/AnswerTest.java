package benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerTest {

    private static final String BODY = "{\"sequence\":\"photos\",\"ids\":[\"17\",\"9\"]}";

    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: " + BODY.length() + "\r\n\r\n";

    private final Answer answer = new Answer();

    AnswerTest() {
        answer.clear();
    }

    @Test
    void itsIdsAreTheNumbersInItsBody() throws IOException {
        assertThat(read(HEAD + BODY)).isTrue();
        assertThat(ids()).containsExactly(17L, 9L);
    }

    @Test
    void aNumberMayEndTheBody() throws IOException {
        assertThat(read("HTTP/1.1 200 \r\ncontent-length:4\r\n\r\n1234")).isTrue();
        assertThat(ids()).containsExactly(1234L);
    }

    @Test
    void itMayComeInParts() throws IOException {
        String all = HEAD + BODY;
        for (int end = 1; end < all.length(); end++) {
            assertThat(read(all.substring(end - 1, end))).as("%d bytes", end).isFalse();
        }
        assertThat(read(all.substring(all.length() - 1))).isTrue();
        assertThat(ids()).containsExactly(17L, 9L);
    }

    @Test
    void theNextOneBeginsAnew() throws IOException {
        read("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n42");
        assertThat(answer.isLast()).isTrue();

        answer.clear();
        assertThat(read("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n")).isFalse();
        assertThat(read("7")).isTrue();
        assertThat(answer.isLast()).isFalse();
        assertThat(ids()).containsExactly(7L);
    }

    @Test
    void anErrorEndsTheRun() {
        assertThatThrownBy(() -> read("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 8\r\n\r\nno ids"))
                .hasMessageStartingWith("The server gave no id: HTTP/1.1 503 Service Unavailable");
    }

    @Test
    void anAnswerWithoutALengthEndsTheRun() {
        assertThatThrownBy(() -> read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n17"))
                .hasMessageStartingWith("An answer must have a Content-Length: HTTP/1.1 200 OK");
    }

    @Test
    void moreThanOneAnswerEndsTheRun() {
        assertThatThrownBy(() -> read(HEAD + BODY + "HTTP"))
                .hasMessageStartingWith("An answer is longer than its Content-Length: HTTP/1.1 200 OK");
    }

    @Test
    void aConnectionThatBreaksEndsTheRun() throws IOException {
        ReadableByteChannel broken = channel(HEAD);
        assertThat(answer.readFrom(broken)).isFalse();
        assertThatThrownBy(() -> answer.readFrom(broken))
                .hasMessageStartingWith("The server closed a connection before its answer was complete: HTTP/1.1 200");
    }

    private boolean read(String text) throws IOException {
        return answer.readFrom(channel(text));
    }

    private static ReadableByteChannel channel(String text) {
        return Channels.newChannel(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private List<Long> ids() {
        List<Long> ids = new ArrayList<>();
        assertThat(answer.numbers(ids::add)).isEqualTo(ids.size());
        return ids;
    }
}
