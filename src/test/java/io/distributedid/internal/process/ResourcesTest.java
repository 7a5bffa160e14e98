package io.distributedid.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourcesTest {

    private final List<String> discarded = new ArrayList<>();

    private final Resources<String, String> resources = new Resources<>(discarded::add);

    @Test
    void eachIsMadeOnce() {
        assertThat(resources.get("a", () -> "first")).contains("first");
        assertThat(resources.get("a", () -> "second")).contains("first");
        assertThat(discarded).isEmpty();
        assertThat(resources.end()).containsOnlyKeys("a").containsValue("first");
    }

    @Test
    void oneThatIsMadeWhileTheyEndIsDiscarded() {
        assertThat(resources.get("a", () -> {
                    assertThat(resources.end()).isEmpty();
                    return "late";
                }))
                .isEmpty();
        assertThat(discarded).containsExactly("late");
        assertThat(resources.get("a", () -> "later")).isEmpty();
        assertThat(discarded).containsExactly("late");
        assertThat(resources.end()).isEmpty();
    }

    @Test
    void oneThatIsMadeMoreSlowlyThanAnotherIsDiscarded() {
        assertThat(resources.get("a", () -> {
                    assertThat(resources.get("a", () -> "fast")).contains("fast");
                    return "slow";
                }))
                .contains("fast");
        assertThat(discarded).containsExactly("slow");
    }
}
