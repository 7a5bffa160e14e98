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

/** Keys of two servers: those of the first begin with a, those of the second with b. */
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
        new GivenNumbers(key -> key.charAt(0) - 'a', true, this::bound, LIMIT, () -> now)
                .require(rows(keys), () -> "Do something", unknown::add);
    }

    /** As over an issuing service. */
    private void requireOfUnknownPlaces(String... keys) {
        new GivenNumbers(key -> 0, false, this::bound, LIMIT, () -> now)
                .require(rows(keys), () -> "Do something", unknown::add);
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
        assertThat(unknown)
                .containsExactly("1 of 2 servers have not answered within their part of 12000 ms"
                        + " (distributedid.block.timeout): The server is down: key=a1");
    }

    /** The next key could have been given. */
    @Test
    void aServerThatGoesDownMeanwhileIsNotRefused() {
        bounds.putAll(Map.of("a1", 0L, "b1", 5L));
        require("a1", "a2", "b1");
        assertThat(unknown).singleElement().asString().endsWith(": The server is down: key=a2");
    }

    @Test
    void theStartFailsIfNoServerSaysThatItHasGivenNumbers() {
        assertThatThrownBy(() -> require("a1", "a2"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("It is unknown whether the numbers of rows were given by their sequence: The server is"
                        + " down: key=a1. To start without the comparison, set distributedid.existing_ids=ignore");
        assertThatThrownBy(() -> require("a1", "b1"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("2 of 2 servers have not answered within their part of 12000 ms"
                        + " (distributedid.block.timeout): The server is down: key=a1; The server is down: key=b1. To");
    }

    @Test
    void serversThatHangShareOneLimitAndLeaveTimeForTheOthers() {
        hanging.addAll(Set.of('a', 'b', 'c'));
        bounds.put("d1", 5L);
        require("a1", "a2", "b1", "c1", "d1");
        assertThat(asked).containsExactly("a1", "b1", "c1", "d1");
        assertThat(limits).containsExactly(3_000L, 3_000L, 3_000L);
        assertThat(unknown)
                .containsExactly("3 of 4 servers have not answered within their part of 12000 ms"
                        + " (distributedid.block.timeout): No answer: key=a1; No answer: key=b1; No answer: key=c1");
    }

    @Test
    void aServerLeavesTheTimeThatItDoesNotNeedToTheNext() {
        hanging.add('b');
        bounds.put("a1", 5L);
        require("a1", "b1");
        assertThat(limits).containsExactly(11_999L);
    }

    /** The last of them could have been given. */
    @Test
    void keysForWhichNoTimeIsLeftAreNamedAndNotRefused() {
        answerTime = Duration.ofSeconds(3);
        bounds.putAll(Map.of("a1", 0L, "a2", 0L, "b1", 5L));
        require("a1", "a2", "a3", "a4", "b1");
        assertThat(asked).containsExactly("a1", "a2", "b1");
        assertThat(unknown)
                .containsExactly("1 of 2 servers have not answered within their part of 12000 ms"
                        + " (distributedid.block.timeout): No time was left to look up key=a3 and 1 more within"
                        + " 12000 ms (distributedid.block.timeout)");
    }

    @Test
    void ifPlacesAreUnknownAKeyWithoutAnswerLeavesTimeForTheOthersAndOneNumberIsEnough() {
        hanging.add('a');
        bounds.putAll(Map.of("b1", 0L, "b2", 5L));
        requireOfUnknownPlaces("a1", "a2", "b1", "b2");
        assertThat(asked).containsExactly("a1", "a2", "b1", "b2");
        assertThat(limits).containsExactly(3_000L, 3_000L);
        assertThat(unknown)
                .containsExactly("2 keys have got no answer within their part of 12000 ms"
                        + " (distributedid.block.timeout), the first: No answer: key=a1");
    }

    @Test
    void ifPlacesAreUnknownTheStartFailsUnlessAKeyWasGivenNumbers() {
        assertThatThrownBy(() -> requireOfUnknownPlaces("a1", "b1"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("2 keys have got no answer within their part of 12000 ms");
        bounds.put("b1", 4L);
        assertThatThrownBy(() -> requireOfUnknownPlaces("a1", "b1"))
                .as("the server of a1 may have given it")
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("by their sequence: The server is down: key=a1. To start");
        bounds.put("a1", 3L);
        assertThatThrownBy(() -> requireOfUnknownPlaces("a1", "b1"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("key=b1 has number=5, but none above 4 was given");
    }

    @Test
    void rowsWithoutNumbersAskNoServer() {
        require();
        assertThat(asked).isEmpty();
    }
}
