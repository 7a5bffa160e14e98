package io.distributedid.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.counter.DriftLimit.Failover;
import io.distributedid.internal.counter.FakeServer.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes and servers in random order, with all faults that {@link Plan} promises to survive: no id comes twice. A
 * fault that no process can detect is left out: a server goes back only while another has a witness of it, and no
 * server is lost again before that one was raised.
 */
class CounterModelTest {

    private static final long MAX = 1_000;

    private static final int STEPS = 3_000;

    private final Random random = new Random();

    private final Set<Long> given = new HashSet<>();

    private final List<FakeServer> servers = new ArrayList<>();

    /** What each server held at times. */
    private final List<Deque<State>> history = new ArrayList<>();

    private final List<FakeClient> clients = new ArrayList<>();

    private final List<String> log = new ArrayList<>();

    private DriftLimit distance = new DriftLimit(MAX, true, "behind", Failover.RAISE);

    /** The server that went back and was not raised yet, and its state then. */
    private Optional<FakeServer> lost = Optional.empty();

    private long lostGeneration;

    /** All blocks that are drawn from now on begin above it. */
    private long promised;

    private long seed;

    /** Each test runs so often. */
    protected long seeds() {
        return 10;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void withoutLossesNoIdComesTwiceAndNobodyIsTakenForLost(int size) {
        for (seed = 1; seed <= seeds(); seed++) {
            begin(size);
            for (int step = 0; step < STEPS; step++) {
                randomClient().step();
                if (random.nextInt(100) == 0) {
                    crash();
                }
                if (random.nextInt(200) == 0) {
                    startAnew(random.nextInt(clients.size()));
                }
                if (random.nextInt(300) == 0) {
                    randomClient().raiseAbove(highest() + random.nextInt(20));
                }
            }
            assertThat(clients)
                    .as("seed=%s", seed)
                    .allSatisfy(client -> assertThat(client.refused).doesNotContain("went back"));
            assertThat(clients)
                    .as("seed=%s", seed)
                    .allSatisfy(client -> assertThat(client.raises)
                            .noneMatch(reason -> reason.contains("went back") || reason.contains("another server")));
            assertAllGoOn();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aRaiseThatHasEndedHoldsForAllLaterBlocks(int size) {
        for (seed = 1; seed <= seeds(); seed++) {
            begin(size);
            for (int step = 0; step < STEPS; step++) {
                randomClient().step();
                if (random.nextInt(50) == 0) {
                    startAnew(random.nextInt(clients.size()));
                }
                if (random.nextInt(10) == 0) {
                    // Two at once, below what blocks have reserved: then only floors are raised.
                    randomClient().raiseAbove(Math.max(0, lowest() - random.nextInt(20)));
                    randomClient().raiseAbove(Math.max(0, lowest() - random.nextInt(20)));
                }
            }
            assertAllGoOn();
        }
    }

    private long lowest() {
        return servers.stream()
                .mapToLong(server -> server.state.row().orElse(0))
                .min()
                .orElse(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void promotedReplicasThatLackLessThanTheDistanceGiveNoIdAgain(int size) {
        for (seed = 1; seed <= seeds(); seed++) {
            begin(size);
            for (int step = 0; step < STEPS; step++) {
                randomClient().step();
                remember();
                if (random.nextInt(100) == 0) {
                    crash();
                }
                if (random.nextInt(200) == 0) {
                    startAnew(random.nextInt(clients.size()));
                }
                if (random.nextInt(150) == 0) {
                    promote(randomServer());
                }
            }
            assertAllGoOn();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void serversThatGoBackWhileAnotherKnowsGiveNoIdAgain(int size) {
        goBack(size, false);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void ticketServersThatGoBackWhileAnotherKnowsGiveNoIdAgain(int size) {
        goBack(size, true);
    }

    private void goBack(int size, boolean isTickets) {
        for (seed = 1; seed <= seeds(); seed++) {
            begin(size, isTickets);
            for (int step = 0; step < STEPS; step++) {
                randomClient().step();
                remember();
                settle();
                if (random.nextInt(100) == 0 && lost.isEmpty()) {
                    crash();
                }
                if (random.nextInt(200) == 0) {
                    startAnew(random.nextInt(clients.size()));
                }
                if (random.nextInt(100) == 0 && lost.isEmpty()) {
                    lose(randomServer());
                }
                if (random.nextInt(400) == 0) {
                    setAhead(randomServer());
                }
            }
            assertAllGoOn();
        }
    }

    private void begin(int size) {
        begin(size, false);
    }

    private void begin(int size, boolean isTickets) {
        random.setSeed(seed);
        given.clear();
        servers.clear();
        history.clear();
        clients.clear();
        log.clear();
        lost = Optional.empty();
        promised = 0;
        for (int place = 0; place < size; place++) {
            servers.add(new FakeServer(place, size, isTickets));
            history.add(new ArrayDeque<>());
        }
        for (int i = 0; i < 3; i++) {
            clients.add(newClient());
        }
    }

    private FakeClient newClient() {
        FakeClient client = new FakeClient(servers, random, distance, this::give);
        client.leavesOut = lost.isEmpty();
        client.promised = id -> promised = Math.max(promised, id);
        client.drawn = this::drawn;
        return client;
    }

    private void drawn(long first) {
        if (first <= promised) {
            throw new AssertionError("Drawn at id=" + first + " after a raise above " + promised + " has ended, seed="
                    + seed + " after " + log);
        }
    }

    private void give(long id) {
        if (!given.add(id)) {
            throw new AssertionError("Given twice: id=" + id + " seed=" + seed + " after " + log);
        }
    }

    private FakeClient randomClient() {
        return clients.get(random.nextInt(clients.size()));
    }

    private FakeServer randomServer() {
        return servers.get(random.nextInt(servers.size()));
    }

    private long highest() {
        return servers.stream().mapToLong(server -> server.high).max().orElse(0);
    }

    /** A process hands back what it can, or dies. */
    private void startAnew(int client) {
        if (random.nextBoolean()) {
            for (int i = 0; i < 3; i++) {
                clients.get(client).giveBack();
            }
        }
        clients.set(client, newClient());
    }

    private void crash() {
        FakeServer server = randomServer();
        server.crash(random);
        log.add("crash " + server.place + " up=" + server.up);
    }

    private void remember() {
        if (random.nextInt(20) == 0) {
            FakeServer server = randomServer();
            history.get(server.place).addFirst(server.state);
        }
    }

    private void promote(FakeServer server) {
        // It may lack ids, and not an earlier failover.
        Optional<String> current = server.state.counter().map(CounterRecord::identity);
        List<State> near = history.get(server.place).stream()
                .filter(state -> state.counter().isPresent() && state.row().orElse(0) > server.high - MAX)
                .filter(state -> state.counter().map(CounterRecord::identity).equals(current))
                .toList();
        if (!near.isEmpty()) {
            server.state = near.get(random.nextInt(near.size()));
            server.identity = "replica " + random.nextLong();
            server.up = true;
            server.epoch++;
            log.add("promote " + server.place + " " + server.high + " -> " + server.state);
        }
    }

    private void lose(FakeServer server) {
        State before = server.state;
        boolean isKnown = before.counter().isPresent()
                && servers.stream().filter(other -> other != server).allMatch(other -> knows(other, server));
        if (!isKnown || server.high == 0) {
            return;
        }
        List<State> older = history.get(server.place).stream()
                .filter(state -> state.counter().isPresent())
                .filter(state -> servers.stream()
                        .filter(other -> other != server)
                        .anyMatch(
                                other -> isBelow(state, other.state.witnesses().get(server.numbering.offset()))))
                .toList();
        int what = random.nextInt(4);
        switch (what) {
            case 0 ->
                server.state = new State(before.claim(), before.counter(), before.witnesses(), OptionalLong.empty());
            case 1 -> server.state = new State(before.claim(), Optional.empty(), before.witnesses(), before.row());
            case 2 -> server.state = new State(before.claim(), Optional.empty(), Map.of(), OptionalLong.empty());
            default -> {
                if (older.isEmpty()) {
                    return;
                }
                server.state = older.get(random.nextInt(older.size()));
            }
        }
        servers.forEach(each -> each.up = true);
        clients.forEach(client -> client.leavesOut = false);
        // A process that knows less can't tell an older state of all from the present one until it looks.
        boolean breaks = what >= 2 || random.nextBoolean();
        if (breaks) {
            server.epoch++;
        }
        lost = Optional.of(server);
        lostGeneration = server.state.generation();
        history.get(server.place).clear();
        log.add("lose " + server.place + (breaks ? " broken " : " ") + server.high + " -> " + server.state);
    }

    private static boolean isBelow(State state, Witness witness) {
        return witness != null
                && (state.generation() < witness.generation()
                        || state.generation() == witness.generation()
                                && state.row().orElse(0) < witness.last());
    }

    /** Whether another server alone is enough to raise the one that will be lost above all it gave. */
    private static boolean knows(FakeServer other, FakeServer server) {
        Witness witness = other.state.witnesses().get(server.numbering.offset());
        return other.state.counter().isPresent()
                && witness != null
                && !witness.isNotCreated()
                && other.state.highestKnown() + 2 * MAX > server.high;
    }

    private void settle() {
        lost.filter(server -> server.state.generation() > lostGeneration
                        && server.state.row().orElse(0) >= server.high)
                .ifPresent(server -> {
                    log.add("settled " + server.place + " " + server.state);
                    lost = Optional.empty();
                    clients.forEach(client -> client.leavesOut = true);
                });
    }

    private void setAhead(FakeServer server) {
        if (lost.isEmpty() && server.state.row().isPresent()) {
            server.raise(highest() + random.nextInt((int) (3 * MAX)));
            log.add("set " + server.place + " " + server.high);
        }
    }

    /** Once all servers are up, every process gets ids, also a new one, after a few looks. */
    private void assertAllGoOn() {
        servers.forEach(server -> server.up = true);
        for (FakeClient client : List.copyOf(clients)) {
            assertGoesOn(client);
        }
        FakeClient fresh = newClient();
        assertGoesOn(fresh);
        clients.clear();
    }

    private void assertGoesOn(FakeClient client) {
        client.leavesOut = false;
        client.refused = "";
        boolean drawn = false;
        for (int attempt = 0; attempt < 50 && !drawn; attempt++) {
            for (FakeServer server : servers) {
                drawn |= client.draw(server.place);
                while (client.isLooking()) {
                    client.goOnLooking();
                }
            }
        }
        assertThat(drawn)
                .as("seed=%s refused=%s servers=%s log=%s", seed, client.refused, servers, log)
                .isTrue();
    }
}
