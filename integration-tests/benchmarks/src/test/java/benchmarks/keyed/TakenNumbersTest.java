package benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import benchmarks.http.Answers;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class TakenNumbersTest {

    private final TakenNumbers numbers = new TakenNumbers(10);

    @Test
    void eachKeyHasNumbersOfItsOwn() throws IOException {
        take(1_000_000, 1, 1);
        take(1_000_009, 1, 1);
        take(1_000_000, 2, 2);

        assertThat(numbers.count()).isEqualTo(3);
    }

    @Test
    void aNumberThatAKeyGetsTwiceEndsTheRun() throws IOException {
        take(1_000_003, 17, 17);

        assertThatThrownBy(() -> take(1_000_003, 17, 17)).hasMessage("A number was given twice: key=1000003 number=17");
    }

    @Test
    void anotherAnswerThanOneNumberOfAKeyEndsTheRun() {
        assertThatThrownBy(() -> take(1_000_003, 1, 2))
                .hasMessageStartingWith("An answer must have a key and one number, as first and last: HTTP");
        assertThatThrownBy(() -> take(1_000_010, 1, 1)).hasMessageStartingWith("An answer must have a key");
        assertThatThrownBy(() -> take("\"1000003\",\"1\"")).hasMessageStartingWith("An answer must have a key");
    }

    private void take(long key, long first, long last) throws IOException {
        take("{\"sequence\":\"messages\",\"key\":\"" + key + "\",\"first\":\"" + first + "\",\"last\":\"" + last
                + "\"}");
    }

    private void take(String body) throws IOException {
        numbers.accept(Answers.with(body));
    }
}
