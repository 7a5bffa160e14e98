package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Keys of two servers: those of the first begin with a, those of the second with b. */
class GivenNumbersTest {

    private final Map<String, Long> bounds = new LinkedHashMap<>();

    private final List<String> asked = new ArrayList<>();

    private final List<String> unknown = new ArrayList<>();

    private void require(String... keys) {
        Map<String, Long> rows = new LinkedHashMap<>();
        for (String key : keys) {
            rows.put(key, 5L);
        }
        new GivenNumbers(key -> key.charAt(0) - 'a', this::bound).require(rows, () -> "Do something", unknown::add);
    }

    private long bound(String key) {
        asked.add(key);
        Long bound = bounds.get(key);
        if (bound == null) {
            throw new IdUnavailableException("The server is down: key=" + key);
        }
        return bound;
    }

    @Test
    void oneNumberThatMayHaveBeenGivenIsEnoughForItsServer() {
        bounds.putAll(Map.of("a1", 0L, "a2", 5L, "b1", 7L));
        require("a1", "a2", "a3", "b1", "b2");
        assertThat(asked).containsExactly("a1", "a2", "b1");
        assertThat(unknown).isEmpty();
    }

    /** For example since the floor was raised on one server only. */
    @Test
    void aServerThatHasGivenNoneIsRefusedThoughAnotherHas() {
        bounds.putAll(Map.of("a1", 5L, "b1", 0L, "b2", 4L));
        assertThatThrownBy(() -> require("a1", "b1", "b2"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("Rows have numbers that their sequence has not given: key=b2 has number=5, but none above 4"
                        + " was given. They would be given again. Do something; or set"
                        + " distributedid.existing_ids=ignore");
    }

    @Test
    void aServerThatIsDownIsAskedOnceAndDoesNotStopTheStartIfAnotherHasGivenNumbers() {
        bounds.putAll(Map.of("b1", 5L));
        require("a1", "a2", "b1");
        assertThat(asked).containsExactly("a1", "b1");
        assertThat(unknown).containsExactly("The server is down: key=a1");
    }

    /** The next key could have been given. */
    @Test
    void aServerThatGoesDownMeanwhileIsNotRefused() {
        bounds.putAll(Map.of("a1", 0L, "b1", 5L));
        require("a1", "a2", "b1");
        assertThat(unknown).containsExactly("The server is down: key=a2");
    }

    @Test
    void theStartFailsIfNoServerSaysThatItHasGivenNumbers() {
        assertThatThrownBy(() -> require("a1", "b1"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("It is unknown whether the numbers of rows were given by their sequence: The server is"
                        + " down: key=a1. To start without the comparison, set distributedid.existing_ids=ignore");
    }

    @Test
    void rowsWithoutNumbersAskNoServer() {
        require();
        assertThat(asked).isEmpty();
    }
}
