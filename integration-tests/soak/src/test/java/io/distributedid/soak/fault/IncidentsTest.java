package io.distributedid.soak.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.soak.fault.Incidents.Group;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IncidentsTest {

    private static final Duration GRACE = Duration.ofNanos(10);

    private final Incidents incidents = new Incidents();

    private void down(long from, long to, String... names) {
        incidents.add(new Incident(from, to, Fault.SERVER_KILLED, "", Set.of(names)));
    }

    @Test
    void aServerIsUpIfNoFaultOfItTouchesTheTimeOrEndedJustBefore() {
        down(100, 200, "one");

        assertThat(incidents.isUp("one", 50, 99, GRACE)).isTrue();
        assertThat(incidents.isUp("one", 50, 100, GRACE)).isFalse();
        assertThat(incidents.isUp("one", 150, 160, GRACE)).isFalse();
        assertThat(incidents.isUp("one", 210, 300, GRACE)).isFalse();
        assertThat(incidents.isUp("one", 211, 300, GRACE)).isTrue();
        assertThat(incidents.isUp("two", 150, 160, GRACE)).isTrue();
    }

    @Test
    void eachGroupNeedsSomeOfItsServersAllTheTime() {
        List<Group> pair = List.of(new Group(Set.of("one", "two"), 1));
        List<Group> both = List.of(new Group(Set.of("one"), 1), new Group(Set.of("two"), 1));
        down(100, 200, "one");
        down(300, 400, "two");

        assertThat(incidents.areUp(pair, 150, 160, GRACE)).isTrue();
        assertThat(incidents.areUp(both, 150, 160, GRACE)).isFalse();
        assertThat(incidents.areUp(pair, 150, 350, GRACE))
                .as("first one, then the other")
                .isFalse();
        assertThat(incidents.areUp(both, 220, 290, GRACE)).isTrue();
    }
}
