package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Keys whose servers hang are told by their first letter. */
class GivenNumbersTest {

    private static final Duration LIMIT = Duration.ofSeconds(12);

    private final Set<Character> hanging = new HashSet<>();

    /** What servers that hang were given, in milliseconds. */
    private final List<Long> limits = new ArrayList<>();

    private Duration answerTime = Duration.ofMillis(1);

    private long now = -5;

    private final Map<String, Long> bounds = new LinkedHashMap<>();

    private final List<String> asked = new ArrayList<>();

    private final List<String> unknown = new ArrayList<>();

    private void require(String... keys) {
        new GivenNumbers(this::bound, LIMIT, () -> now).require(rows(keys), () -> "Do something", unknown::add);
    }

    private static Map<String, Long> rows(String... keys) {
        Map<String, Long> rows = new LinkedHashMap<>();
        for (String key : keys) {
            rows.put(key, 5L);
        }
        return rows;
    }

    private long bound(String key, Duration limit) {
        asked.add(key);
        assertThat(limit).isPositive();
        if (hanging.contains(key.charAt(0))) {
            now += limit.toNanos();
            limits.add(limit.toMillis());
            throw new IdUnavailableException("No answer: key=" + key);
        }
        now += answerTime.toNanos();
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
                .hasMessage("Rows have numbers that their sequence has not given: key=b2 has number=5, but none above 4"
                        + " was given. They would be given again. Do something; or set"
                        + " distributedid.existing_ids=ignore");
    }

    @Test
    void aKeyWithoutAnswerLeavesTimeForTheOthers() {
        hanging.add('a');
        bounds.putAll(Map.of("b1", 0L, "b2", 5L));
        require("a1", "a2", "b1", "b2");
        assertThat(asked).containsExactly("a1", "a2", "b1", "b2");
        assertThat(limits).containsExactly(3_000L, 3_000L);
        assertThat(unknown)
                .containsExactly("2 keys have got no answer within their part of 12000 ms"
                        + " (distributedid.block.timeout), the first: No answer: key=a1");
    }

    @Test
    void aKeyLeavesTheTimeThatItDoesNotNeedToTheNext() {
        hanging.add('b');
        bounds.putAll(Map.of("a1", 0L, "c1", 5L));
        require("a1", "b1", "c1");
        assertThat(limits).containsExactly(5_999L);
    }

    @Test
    void theStartFailsUnlessAKeyWasGivenNumbers() {
        assertThatThrownBy(() -> require("a1"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("It is unknown whether the numbers of rows were given by their sequence: The server is"
                        + " down: key=a1. To start without the comparison, set distributedid.existing_ids=ignore");
        assertThatThrownBy(() -> require("a1", "b1"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("2 keys have got no answer within their part of 12000 ms");
        bounds.put("b1", 4L);
        assertThatThrownBy(() -> require("a1", "b1"))
                .as("a1 may have been given")
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("by their sequence: The server is down: key=a1. To start");
    }

    /** The last of them could have been given. */
    @Test
    void keysForWhichNoTimeIsLeftAreNamedAndNotRefused() {
        answerTime = Duration.ofSeconds(6);
        bounds.putAll(Map.of("a1", 0L, "a2", 0L));
        assertThatThrownBy(() -> require("a1", "a2", "a3", "a4"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("No time was left to look up key=a3 and 1 more within 12000 ms"
                        + " (distributedid.block.timeout)");
        assertThat(asked).containsExactly("a1", "a2");
    }

    @Test
    void rowsWithoutNumbersAskForNoKey() {
        require();
        assertThat(asked).isEmpty();
    }
}
