package io.distributedid.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CounterMove;
import io.distributedid.CounterMove.Jump;
import io.distributedid.CounterMove.Kind;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.Block;
import io.distributedid.spi.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands {@code repair} and {@code move}, as an operator sees them. */
@Timeout(120)
class RealignTest {

    private static long repair(MemoryCounters ids, long above) {
        return ids.move("photos", CounterMove.repair(above));
    }

    @Test
    void aRepairRaisesWhatWasLostAndLeavesTheNeighboursWhereTheyAre() throws Exception {
        MemoryCounters ids = MemoryCounters.of(1);
        Counter photos = ids.open("photos");
        Counter users = ids.open("users");
        photos.reserve(10);
        users.reserve(10);
        MemoryServer server = ids.server("a");
        server.change(
                tables -> tables.with(photos.key(), tables.stored(photos.key()).withCounter(OptionalLong.of(3))));

        assertThatThrownBy(() -> repair(ids, 0))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("distributedid repair photos --above ID");
        assertThat(repair(ids, 50)).isEqualTo(2_000_050);

        assertThat(photos.reserve(10).first()).isEqualTo(2_000_051);
        assertThat(users.reserve(10).first()).isEqualTo(11);
    }

    @Test
    void aNeighbourThatLostIdsStaysClosedUntilItsOwnRepair() throws Exception {
        MemoryCounters ids = MemoryCounters.of(1);
        Counter photos = ids.open("photos");
        Counter users = ids.open("users");
        photos.reserve(10);
        users.reserve(10);
        for (Counter each : List.of(photos, users)) {
            ids.server("a")
                    .change(tables ->
                            tables.with(each.key(), tables.stored(each.key()).withCounter(OptionalLong.empty())));
        }

        repair(ids, 50);

        assertThat(photos.reserve(10).first()).isEqualTo(2_000_051);
        assertThatThrownBy(() -> users.reserve(10)).isInstanceOf(IdUnavailableException.class);
        assertThatThrownBy(() -> ids.move("users", CounterMove.repair(0)))
                .hasMessageContaining("distributedid repair users --above ID");
        ids.move("users", CounterMove.repair(60));
        assertThat(users.reserve(10).first()).isEqualTo(2_000_061);
    }

    @Test
    void clientsGoOnAfterARepair() throws Exception {
        MemoryCounters ids = MemoryCounters.of(2);
        Counter photos = ids.open("photos");
        List<Block> before = List.of(photos.reserve(10), photos.reserve(10));

        assertThat(repair(ids, 0)).isEqualTo(20);

        assertThat(List.of(photos.reserve(10).first(), photos.reserve(10).first()))
                .doesNotContainAnyElementsOf(before.stream().map(Block::last).toList())
                .allMatch(first -> first > 20);
    }

    @Test
    void theOperatorIsAskedBeforeAnyChange() {
        MemoryCounters ids = MemoryCounters.of(2);
        ids.open("photos");
        List<MemoryTables> before =
                ids.servers.stream().map(MemoryServer::tables).toList();
        List<Jump> asked = new ArrayList<>();
        CounterMove repair = new CounterMove(
                Kind.REPAIR,
                List.of(),
                50,
                Set.of(),
                false,
                jump -> {
                    asked.add(jump);
                    throw new IllegalStateException("no");
                },
                token -> {});

        assertThatThrownBy(() -> ids.move("photos", repair)).hasMessage("no");

        String token = ids.backend().token(ids.sequence("photos")).orElseThrow();
        assertThat(asked).containsExactly(new Jump(Map.of("a", 0L, "b", 0L), Set.of(token), 2_000_050));
        assertThat(ids.servers.stream().map(MemoryServer::tables)).isEqualTo(before);
    }

    /** Where only a draw shows how far a counter is, a loss is found after the question. */
    @Test
    void theOperatorAgreesToAllThatARepairOfTicketTablesMayRaise() throws Exception {
        MemoryCounters ids = MemoryCounters.of(2);
        ids.servers.forEach(
                server -> server.change(tables -> MemoryTables.empty(tables.identity(), true, Long.MAX_VALUE)));
        Counter photos = ids.open("photos");
        for (int i = 0; i < 4; i++) {
            photos.reserve(10);
        }
        ids.server("a")
                .change(tables ->
                        tables.with(photos.key(), tables.stored(photos.key()).withCounter(OptionalLong.of(3))));
        List<Long> agreed = new ArrayList<>();
        CounterMove repair = new CounterMove(
                Kind.REPAIR, List.of(), 0, Set.of(), false, jump -> agreed.add(jump.above()), token -> {});

        assertThat(ids.move("photos", repair))
                .as("and the number that it has drawn itself")
                .isEqualTo(2_000_042);
        assertThat(agreed).containsExactly(2_000_040L);
    }

    /** The first command named the largest id in use. The second one does not. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aRepairThatWasCutOffIsNotFinishedBelowTheIdsThatItNamed(int servers) {
        boolean isCut = true;
        for (int writes = 0; isCut; writes++) {
            MemoryCounters ids = MemoryCounters.of(servers);
            ids.open("photos");
            ids.servers.forEach(
                    server -> server.change(tables -> MemoryTables.empty(tables.identity(), false, Long.MAX_VALUE)));
            ids.server("a").failWritesAfter(writes);
            isCut = false;
            try {
                repair(ids, 50);
            } catch (IdUnavailableException e) {
                isCut = true;
            }
            ids.server("a").heal();
            ids.servers.forEach(MemoryServer::breakConnections);
            MemoryCounters other = new MemoryCounters(ids.servers);
            try {
                assertThat(repair(other, 0)).isGreaterThan(50);
            } catch (IdConfigurationException e) {
                assertThat(isCut).isTrue();
                assertThat(e).hasMessageContaining("--above ID");
            }
            assertThat(repair(other, 50)).isGreaterThan(50);
        }
    }

    @Test
    void aUserWhoDoesNotLearnTheIdentityRepairsAndForgetsNone() throws Exception {
        MemoryCounters ids = MemoryCounters.of(2);
        Counter photos = ids.open("photos");
        photos.reserve(10);
        ids.servers.forEach(server -> server.change(tables -> tables.withIdentity("")));

        assertThat(repair(ids, 0)).isEqualTo(19);

        for (MemoryServer server : ids.servers) {
            MemoryTables tables = server.tables();
            assertThat(tables.row(photos.key()).identity()).isEqualTo(server.label() + "-uuid");
            assertThat(tables.header(photos.key()).members()).containsExactly("a-uuid", "b-uuid");
        }
    }

    @Test
    void noCommandLeadsToAListWhoseServersCannotBeToldApart() throws Exception {
        MemoryCounters all = MemoryCounters.of(3);
        MemoryCounters one = all.other("a", "sequence");
        Counter photos = one.open("photos");
        photos.reserve(10);
        all.server("c").change(tables -> tables.withIdentity("b-uuid"));

        assertThatThrownBy(() -> move(one, all.other("bc", "sequence"), new ArrayList<>()))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("The servers of a list must have different identities: table=sequence name=photos"
                        + " on c has identity=b-uuid, which occurs more than once in [b-uuid, b-uuid]. Give each"
                        + " MariaDB server its own server_id");
        assertThat(photos.reserve(10).first()).isEqualTo(11);
    }

    @Test
    void allServersMustAnswer() {
        MemoryCounters ids = MemoryCounters.of(2);
        ids.open("photos");
        ids.server("b").fail("b is down");

        assertThatThrownBy(() -> repair(ids, 0))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("All servers must answer: b is down, server=b. Repeat the call when they do"
                        + Pages.onCall("counter-not-all-answer"));
    }

    private static CounterMove order(Kind kind, long above, String token, Consumer<String> remember) {
        Set<String> tokens = token.isEmpty() ? Set.of() : Set.of(token);
        return new CounterMove(kind, List.of(), above, tokens, false, jump -> {}, remember);
    }

    private static long move(MemoryCounters from, MemoryCounters to, List<String> remembered) {
        return from.backend()
                .move(
                        List.of(from.sequence("photos")),
                        to.sequence("photos"),
                        order(Kind.PLACE, 0, "", remembered::add));
    }

    @Test
    void aMoveAddsAServerAndRefusesTheOldList() throws Exception {
        MemoryCounters all = MemoryCounters.of(3);
        MemoryCounters two = all.other("ab", "sequence");
        Counter before = two.open("photos");
        List<Block> given = List.of(before.reserve(10), before.reserve(10));
        MemoryCounters three = all.other("abc", "sequence");
        List<String> remembered = new ArrayList<>();

        assertThat(move(two, three, remembered))
                .isGreaterThanOrEqualTo(given.get(1).last());

        Counter after = three.open("photos");
        assertThat(remembered)
                .containsExactly(three.backend().token(three.sequence("photos")).orElseThrow());
        assertThat(List.of(after.reserve(10), after.reserve(10), after.reserve(10)))
                .extracting(Block::step)
                .containsOnly(3L);
        assertThatThrownBy(() -> before.reserve(10))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining(
                        "Clients must number the servers alike: table=sequence name=photos on a is used with"
                                + " increment=3 offset=1, but this client has increment=2 offset=1.");
        assertThatThrownBy(() -> all.other("ab", "sequence").open("photos"))
                .isInstanceOf(IdConfigurationException.class);
    }

    @Test
    void serversWithOneLabelAreNotTakenForEachOther() throws Exception {
        MemoryCounters all = MemoryCounters.of(2);
        all.servers.forEach(each -> each.label("data source 1"));
        MemoryCounters old = all.other("a", "sequence");
        old.open("photos").reserve(10);
        MemoryCounters next = all.other("b", "sequence");
        for (String identity : List.of("b-uuid", "a-uuid")) {
            all.server("b").change(tables -> tables.withIdentity(identity));
            List<MemoryTables> before =
                    all.servers.stream().map(MemoryServer::tables).toList();

            assertThatThrownBy(() -> move(old, next, new ArrayList<>()))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("Two servers of a command have the same label: table=sequence name=photos"
                            + " on data source 1, identity=a-uuid token=")
                    .hasMessageContaining(" and identity=" + identity + " token=none. List servers by URL");
            assertThat(all.servers.stream().map(MemoryServer::tables)).isEqualTo(before);
        }
    }

    @Test
    void aMoveToAnotherTableEndsTheOldOneUntilItIsMovedBack() throws Exception {
        MemoryCounters all = MemoryCounters.of(1);
        MemoryCounters old = all.other("a", "sequence");
        Counter before = old.open("photos");
        before.reserve(10);
        MemoryCounters moved = all.other("a", "numbers");

        assertThat(move(old, moved, new ArrayList<>())).isEqualTo(10);

        assertThat(moved.open("photos").reserve(10).first()).isEqualTo(11);
        assertThatThrownBy(() -> before.reserve(10))
                .hasMessageContaining("The counters were moved away: table=sequence name=photos on a");
        assertThat(move(moved, old, new ArrayList<>())).isEqualTo(20);
        assertThat(all.other("a", "sequence").open("photos").reserve(10).first())
                .isEqualTo(21);
    }

    /** An empty server stands for good in the place of one that gave ids. */
    @Test
    void aListThatLostAServerGoesOnAboveWhatTheOperatorSays() throws Exception {
        MemoryCounters ids = MemoryCounters.of(2);
        Counter photos = ids.open("photos");
        photos.reserve(10);
        photos.reserve(10);
        String before = ids.backend().token(ids.sequence("photos")).orElseThrow();
        ids.server("b").change(tables -> MemoryTables.empty("b2", false, Long.MAX_VALUE));
        List<String> remembered = new ArrayList<>();

        assertThatThrownBy(() -> repair(ids, 20)).hasMessageContaining("distributedid move photos --lost --above ID");
        assertThat(goOn(ids, before, remembered)).isEqualTo(2_000_020);

        assertThat(remembered).hasSize(1).doesNotContain(before);
        Counter after = ids.other("ab", "sequence").open("photos");
        assertThat(List.of(after.reserve(10).first(), after.reserve(10).first()))
                .containsExactlyInAnyOrder(2_000_021L, 2_000_022L);
        assertThatThrownBy(() -> goOn(ids, remembered.get(0), remembered))
                .hasMessageContaining("All servers of the list have their counters")
                .hasMessageContaining("distributedid repair photos");
    }

    private static long goOn(MemoryCounters ids, String token, List<String> remembered) {
        Sequence photos = ids.sequence("photos");
        return ids.backend().move(List.of(photos), photos, order(Kind.LOST, 20, token, remembered::add));
    }

    @Test
    void aDryRunChangesNothing() {
        MemoryCounters ids = MemoryCounters.of(2);
        ids.open("photos");
        List<MemoryTables> before =
                ids.servers.stream().map(MemoryServer::tables).toList();

        List<Jump> jumps = new ArrayList<>();
        CounterMove dryRun = new CounterMove(Kind.REPAIR, List.of(), 0, Set.of(), true, jumps::add, token -> {
            throw new AssertionError("nothing is handed over");
        });
        assertThat(ids.move("photos", dryRun)).isZero();

        assertThat(jumps).extracting(Jump::above).containsExactly(0L);
        assertThat(ids.servers.stream().map(MemoryServer::tables)).isEqualTo(before);
    }
}
