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

    private String call() throws InterruptedException {
        return group.call(server -> {
            asked.add(server);
            if (down.contains(server)) {
                throw new SQLException(server + " is down");
            }
            return server;
        });
    }
}
