package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Numbers of rows are compared with those that their sequence has given. */
class KeyedCheckTest {

    private static final Duration LIMIT = Duration.ofSeconds(12);

    private final Map<String, Long> bounds = new LinkedHashMap<>();

    private final List<String> asked = new ArrayList<>();

    private final List<Duration> limits = new ArrayList<>();

    private final List<String> unknown = new ArrayList<>();

    private void require(String... keys) {
        Map<String, Long> rows = new LinkedHashMap<>();
        for (String key : keys) {
            rows.put(key, 5L);
        }
        KeyedCheck.requireGiven(rows, this::bound, LIMIT, () -> "Do something", unknown::add);
    }

    private long bound(String key, Duration limit) {
        asked.add(key);
        limits.add(limit);
        Long bound = bounds.get(key);
        if (bound == null) {
            throw new IdUnavailableException("The server is down: key=" + key);
        }
        return bound;
    }

    @Test
    void oneNumberThatMayHaveBeenGivenIsEnough() {
        bounds.putAll(Map.of("a1", 0L, "a2", 5L, "b1", 7L));
        require("a1", "a2", "a3", "b1");
        assertThat(asked).containsExactly("a1", "a2");
        assertThat(unknown).isEmpty();
    }

    @Test
    void aSequenceThatHasGivenNoneIsRefused() {
        bounds.putAll(Map.of("b1", 0L, "b2", 4L));
        assertThatThrownBy(() -> require("b1", "b2"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("Rows have numbers that their sequence has not issued: key=b2 has number=5, but none above"
                        + " 4 was issued. They would be issued again. Do something; or set"
                        + " distributedid.existing_ids=ignore");
    }

    @Test
    void aKeyWithoutAnswerLeavesTimeForTheOthers() {
        bounds.putAll(Map.of("b1", 0L, "b2", 5L));
        require("a1", "a2", "b1", "b2");
        assertThat(asked).containsExactly("a1", "a2", "b1", "b2");
        assertThat(limits).containsOnly(Duration.ofSeconds(3));
        assertThat(unknown).containsExactly("The server is down: key=a1");
    }

    @Test
    void theStartFailsUnlessAKeyWasGivenNumbers() {
        assertThatThrownBy(() -> require("a1"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("It is unknown whether the numbers of rows were issued by their sequence: The server is"
                        + " down: key=a1. To start without the comparison, set distributedid.existing_ids=ignore");
        assertThatThrownBy(() -> require("a1", "b1"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("by their sequence: The server is down: key=a1. To start");
        bounds.put("b1", 4L);
        assertThatThrownBy(() -> require("a1", "b1"))
                .as("a1 may have been given")
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("by their sequence: The server is down: key=a1. To start");
    }

    @Test
    void rowsWithoutNumbersAskForNoKey() {
        require();
        assertThat(asked).isEmpty();
    }
}
