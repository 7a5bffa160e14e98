package io.distributedid.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdUnavailableException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ServerGroupTest {

    private final ServerGroup<String> group = new ServerGroup<>(List.of("t1", "t2"), server -> server);

    private final Set<String> down = new HashSet<>();

    private final List<String> asked = new ArrayList<>();

    private final List<String> seen = new ArrayList<>();

    private final ServerGroup.Watch<String> watch = new ServerGroup.Watch<>() {
        @Override
        public void succeeded(String server) {
            seen.add(server + " gave");
        }

        @Override
        public void failed(String server, Exception e, boolean leftOut) {
            seen.add(server + (leftOut ? " is left out" : " failed again") + ": " + e.getMessage());
        }
    };

    @Test
    void serversAreAskedInTurn() throws InterruptedException {
        assertThat(List.of(call(), call(), call(), call())).containsExactly("t1", "t2", "t1", "t2");
    }

    @Test
    void aServerThatFailsIsReplacedAndThenLeftOut() throws InterruptedException {
        down.add("t1");

        assertThat(List.of(call(), call(), call(), call())).containsOnly("t2");
        assertThat(asked).filteredOn("t1"::equals).hasSize(1);
    }

    @Test
    void whenAllAreLeftOutAllAreTried() throws InterruptedException {
        down.addAll(List.of("t1", "t2"));
        assertThatThrownBy(this::call)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No server gives ids; t1 said: t1 is down; t2 said: t2 is down");
        down.remove("t2");

        assertThat(call()).isEqualTo("t2");
    }

    @Test
    void whatBecomesOfCallsIsSeenAndAServerIsLeftOutOnce() throws InterruptedException {
        assertThat(group.failure(0)).isEmpty();
        down.add("t1");
        call();
        assertThat(group.failure(0)).contains("t1 is down");
        assertThat(group.failure(1)).isEmpty();
        down.add("t2");
        assertThatThrownBy(this::call).isInstanceOf(IdUnavailableException.class);
        down.clear();
        call();

        assertThat(seen)
                .containsExactly(
                        "t1 is left out: t1 is down",
                        "t2 gave",
                        "t2 is left out: t2 is down",
                        "t1 failed again: t1 is down",
                        "t1 gave");
        assertThat(group.failure(0)).isEmpty();
    }

    @Test
    void nobodyStandsInForAServerThatIsAlone() {
        ServerGroup<String> alone = new ServerGroup<>(List.of("t1"), server -> server);
        down.add("t1");

        assertThatThrownBy(() -> call(alone)).hasMessage("No server gives ids; t1 said: t1 is down");
        assertThat(seen).containsExactly("t1 failed again: t1 is down");
        assertThat(alone.failure(0)).contains("t1 is down");
    }

    private String call() throws InterruptedException {
        return call(group);
    }

    private String call(ServerGroup<String> of) throws InterruptedException {
        return of.call(
                server -> {
                    asked.add(server);
                    if (down.contains(server)) {
                        throw new SQLException(server + " is down");
                    }
                    return server;
                },
                watch);
    }
}
