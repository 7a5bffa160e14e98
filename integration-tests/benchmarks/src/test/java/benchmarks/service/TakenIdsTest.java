package benchmarks.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import benchmarks.http.Answers;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TakenIdsTest {

    private final TakenIds ids = new TakenIds();

    @Test
    void anIdThatComesTwiceFromOneProgramEndsTheRun() throws IOException {
        take(Contender.SINGLE, "\"150\"");

        assertThatThrownBy(() -> take(Contender.BATCH100, hundredFrom(100)))
                .hasMessage("An id was given twice: id=150");
    }

    @Test
    void programsHaveIdsOfTheirOwn() throws IOException {
        take(Contender.SINGLE, "\"1\"");
        take(Contender.SPRING, "1");
        take(Contender.BATCH100, hundredFrom(2));

        assertThat(ids.count(Program.SERVICE)).isEqualTo(101);
        assertThat(ids.count(Program.SPRING)).isEqualTo(1);
    }

    @Test
    void aConstantIsNoId() throws IOException {
        take(Contender.BARE, "\"1\"");
        take(Contender.BARE, "\"1\"");

        assertThat(ids.count(Program.BARE)).isZero();
    }

    @Test
    void fewerIdsThanWereAskedForEndTheRun() {
        assertThatThrownBy(() -> take(Contender.BATCH100, "\"1\",\"2\""))
                .hasMessageStartingWith("An answer has 2 ids, expected: 100. issuing service, 100 ids a request: HTTP");
        assertThatThrownBy(() -> take(Contender.BARE, "")).hasMessageStartingWith("An answer has 0 ids, expected: 1.");
    }

    private static String hundredFrom(int first) {
        return IntStream.range(first, first + 100)
                .mapToObj(id -> "\"" + id + "\"")
                .collect(Collectors.joining(","));
    }

    private void take(Contender contender, String body) throws IOException {
        ids.of(contender).accept(Answers.with(body));
    }
}
