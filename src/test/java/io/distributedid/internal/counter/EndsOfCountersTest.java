package io.distributedid.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CounterMove;
import io.distributedid.CounterMove.Kind;
import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.Sequence;
import io.distributedid.testkit.Await;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counters are merged, end, or begin a space of their own. */
@Timeout(120)
class EndsOfCountersTest {

    private final List<String> remembered = new ArrayList<>();

    private static CounterMove order(Kind kind, long above, Set<String> tokens, Consumer<String> remember) {
        return new CounterMove(kind, List.of(), above, tokens, false, highest -> {}, remember);
    }

    private long merge(MemoryCounters to, MemoryCounters... from) {
        return merge(to, remembered::add, Set.of(), from);
    }

    private static long merge(
            MemoryCounters to, Consumer<String> remember, Set<String> tokens, MemoryCounters... from) {
        List<Sequence> places =
                Arrays.stream(from).map(each -> each.sequence("photos")).toList();
        return to.backend().move(places, to.sequence("photos"), order(Kind.PLACE, 0, tokens, remember));
    }

    private static long end(MemoryCounters ids) {
        return end(ids, 0);
    }

    private static long end(MemoryCounters ids, long above) {
        return ids.move("photos", order(Kind.END, above, Set.of(), token -> {
            throw new AssertionError("nothing is remembered");
        }));
    }

    private static long draw(MemoryCounters ids, String sequence, int times) throws Exception {
        Counter counter = ids.open(sequence);
        long last = 0;
        for (int i = 0; i < times; i++) {
            last = Math.max(last, counter.reserve(10).last());
        }
        return last;
    }

    private static String token(MemoryCounters ids) {
        return ids.backend().token(ids.sequence("photos")).orElseThrow();
    }

    private static List<MemoryTables> tables(MemoryCounters ids) {
        return ids.servers.stream().map(MemoryServer::tables).toList();
    }

    private static void lose(MemoryCounters ids, String server, String sequence) {
        CounterKey key = new CounterKey("sequence", sequence, sequence);
        ids.server(server).change(tables -> tables.with(key, tables.stored(key).withCounter(OptionalLong.empty())));
    }

    private static void assertRefused(MemoryCounters ids) {
        assertThatThrownBy(() -> ids.open("photos")).isInstanceOf(DistributedIdException.class);
    }

    /** Each process has one list. The second one has a sequence more. */
    private static final class Places {

        final MemoryCounters all = MemoryCounters.of(5);

        final MemoryCounters first = all.other("ab", "sequence");

        final MemoryCounters second = all.other("cd", "sequence");

        final MemoryCounters third = all.other("e", "numbers");

        final long photos;

        final long users;

        final long logs;

        Places() throws Exception {
            long one = draw(first, "photos", 1);
            photos = Math.max(one, draw(second, "photos", 7));
            users = Math.max(draw(first, "users", 8), draw(second, "users", 2));
            logs = draw(second, "logs", 4);
        }

        void assertMerged() throws Exception {
            assertThat(all.other("e", "numbers").open("photos").reserve(1).first())
                    .isGreaterThan(photos);
            assertThat(all.other("e", "numbers").open("users").reserve(1).first())
                    .isGreaterThan(users);
            assertThat(all.other("e", "numbers").open("logs").reserve(1).first())
                    .isGreaterThan(logs);
            assertRefused(all.other("ab", "sequence"));
            assertRefused(all.other("cd", "sequence"));
        }
    }

    @Test
    void mergedCountersGoOnAboveTheIdsOfBoth() throws Exception {
        Places places = new Places();

        assertThat(merge(places.third, places.first, places.second)).isGreaterThanOrEqualTo(places.photos);

        places.assertMerged();
        assertThat(remembered).containsOnly(token(openThird(places)));
    }

    private static MemoryCounters openThird(Places places) {
        MemoryCounters third = places.all.other("e", "numbers");
        third.open("photos");
        return third;
    }

    /** They may lie in tables of several names. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void mergedCountersGoOnAboveTheIdsOfAll(int furthest) throws Exception {
        MemoryCounters all = MemoryCounters.of(5);
        MemoryCounters[] from = new MemoryCounters[4];
        long largest = 0;
        for (int place = 0; place < from.length; place++) {
            from[place] = all.other("abcd".substring(place, place + 1), "table" + place);
            largest = Math.max(largest, draw(from[place], "photos", place == furthest ? 50 : 1));
        }

        assertThat(merge(all.other("e", "numbers"), from)).isGreaterThanOrEqualTo(largest);

        assertThat(all.other("e", "numbers").open("photos").reserve(1).first()).isGreaterThan(largest);
    }

    /** Databases that cannot be told stay with the old places, and none of them is told before the target is above. */
    @Test
    void aMergeThatCannotTellTheDatabasesIsRepeated() throws Exception {
        Places places = new Places();

        assertThatThrownBy(() -> merge(
                        places.third,
                        token -> {
                            throw new IdUnavailableException("the database is down", new IllegalStateException());
                        },
                        Set.of(token(places.first), token(places.second)),
                        places.first,
                        places.second))
                .hasMessage("the database is down");
        assertRefused(places.all.other("e", "numbers"));
        merge(
                places.third,
                remembered::add,
                Set.of(token(places.first), token(places.second)),
                places.first,
                places.second);

        places.assertMerged();
    }

    @Test
    void aPlaceThatHadMovedAlreadyIsMergedAndTheDatabasesAreTold() throws Exception {
        Places places = new Places();
        merge(places.third, places.first);
        String moved = remembered.get(0);
        draw(places.all.other("e", "numbers"), "photos", 1);
        remembered.clear();

        merge(places.all.other("e", "numbers"), places.first, places.second);

        assertThat(remembered).containsOnly(moved);
        places.assertMerged();
        merge(places.all.other("e", "numbers"), places.first, places.second);
        places.assertMerged();
    }

    @Test
    void nothingEndsIfOneOfTheMergedPlacesIsWrong() throws Exception {
        Places places = new Places();
        String third = "of a place that is not named";
        for (String wrong : List.of("token", "lost", "target")) {
            Set<String> tokens = wrong.equals("token") ? Set.of(third) : Set.of();
            MemoryCounters target = wrong.equals("target") ? places.all.other("d", "sequence") : places.third;
            if (wrong.equals("lost")) {
                places.all.server("a").change(each -> MemoryTables.empty("a2", false, Long.MAX_VALUE));
            }
            List<MemoryTables> before = tables(places.all);

            assertThatThrownBy(() -> merge(target, remembered::add, tokens, places.first, places.second))
                    .as(wrong)
                    .isInstanceOf(IdConfigurationException.class);

            assertThat(tables(places.all)).as(wrong).isEqualTo(before);
        }
        assertThat(remembered).isEmpty();
    }

    @Test
    void aPlaceThatIsNamedTwiceIsRefused() throws Exception {
        Places places = new Places();

        assertThatThrownBy(() -> merge(places.third, places.first, places.all.other("ab", "sequence")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        "A place is named twice, or one is a copy of another: table=sequence name=photos on a and b");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aCounterThatEndsTellsAnIdAtOrAboveAllThatItGave(int servers) throws Exception {
        MemoryCounters ids = MemoryCounters.of(servers);
        long last = draw(ids, "photos", 3);
        draw(ids, "users", 1);
        Counter running = ids.open("photos");

        long bound = end(ids);

        assertThat(bound).isGreaterThanOrEqualTo(last);
        assertThat(end(ids)).isEqualTo(bound);
        assertThatThrownBy(() -> running.reserve(10))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("The counters have ended, by move --end");
        assertRefused(new MemoryCounters(ids.servers));
        for (String sequence : List.of("photos", "users")) {
            assertThatThrownBy(() -> ids.move(sequence, CounterMove.repair(100)))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(
                            "The counters have ended, by move --end, a merge, or a move to another backend: "
                                    + "table=sequence name=" + sequence);
        }
        assertThatThrownBy(() -> merge(ids.other("a", "numbers"), ids))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The counters have ended");
    }

    @Test
    void whatIsNotInOrderDoesNotEndAndNothingIsClosed() throws Exception {
        MemoryCounters moving = MemoryCounters.of(2);
        MemoryCounters old = moving.other("a", "sequence");
        draw(old, "photos", 1);
        moving.server("a").failWritesAfter(1);
        assertThatThrownBy(() -> merge(moving.other("b", "sequence"), old)).isInstanceOf(IdUnavailableException.class);
        moving.server("a").heal();
        assertEndIsRefused(old, "The target is in use, or a command has closed it for another target");

        MemoryCounters headless = MemoryCounters.of(2);
        draw(headless, "photos", 2);
        headless.server("b").change(tables -> MemoryTables.empty("b2", false, Long.MAX_VALUE));
        assertEndIsRefused(headless, "A server has lost its counters");

        MemoryCounters lost = MemoryCounters.of(1);
        draw(lost, "photos", 1);
        draw(lost, "users", 1);
        lose(lost, "a", "users");
        assertEndIsRefused(lost, "A counter went back and may give ids again: table=sequence name=users");
        lose(lost, "a", "photos");
        assertEndIsRefused(lost, "A counter went back and may give ids again: table=sequence name=");
    }

    private static void assertEndIsRefused(MemoryCounters ids, String message) {
        List<MemoryTables> before = tables(ids);
        assertThatThrownBy(() -> end(ids))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(message);
        assertThat(tables(ids)).isEqualTo(before);
    }

    @Test
    void aLoneCounterThatLostIdsEndsAboveWhatTheOperatorSays() throws Exception {
        MemoryCounters ids = MemoryCounters.of(1);
        draw(ids, "photos", 3);
        lose(ids, "a", "photos");

        assertThat(end(ids, 500)).isGreaterThan(500);
    }

    /** Both places would give the same ids from then on. */
    @Test
    void noSpaceOfItsOwnBeginsWhereCountersWereMovedAwayUnlessTheNewPlaceIsLost() throws Exception {
        MemoryCounters all = MemoryCounters.of(2);
        MemoryCounters old = all.other("a", "sequence");
        MemoryCounters now = all.other("b", "sequence");
        draw(old, "photos", 3);
        String token = token(old);
        merge(now, old);
        long last = draw(now, "photos", 1);
        Sequence photos = old.sequence("photos");

        assertThatThrownBy(() -> old.backend()
                        .move(List.of(photos), photos, order(Kind.NEW_SPACE, last, Set.of(token), remembered::add)))
                .hasMessageStartingWith("The counters were moved away: ")
                .hasMessageContaining("if a server of the list is lost for good: distributedid move photos --lost");

        old.backend().move(List.of(photos), photos, order(Kind.LOST, last, Set.of(token), remembered::add));
        assertThat(draw(all.other("a", "sequence"), "photos", 1)).isGreaterThan(last);
    }

    /** Its address may lead to the other one, in both directions. */
    @Test
    void aCopyCountsForItselfAndNobodyTakesItForTheOriginal() throws Exception {
        MemoryCounters all = MemoryCounters.of(2);
        MemoryCounters original = all.other("a", "sequence");
        long last = draw(original, "photos", 3);
        MemoryTables before = all.server("a").tables();
        all.server("b").change(empty -> before.withIdentity("b-uuid"));
        MemoryCounters copy = all.other("b", "sequence");
        Sequence photos = copy.sequence("photos");

        assertThatThrownBy(() -> copy.backend()
                        .move(List.of(photos), photos, order(Kind.NEW_SPACE, 0, Set.of(), remembered::add)))
                .hasMessageStartingWith("A move with --lost or --new-space must name an id: photos --above=0");
        copy.backend()
                .move(List.of(photos), photos, order(Kind.NEW_SPACE, last, Set.of(token(original)), remembered::add));

        Counter there = copy.open("photos");
        assertThat(remembered).containsExactly(token(copy)).doesNotContain(token(original));
        assertThat(there.reserve(10).first()).isGreaterThan(last);
        Counter here = original.open("photos");
        assertThat(here.reserve(10).first()).isEqualTo(last + 1);
        MemoryTables ofCopy = all.server("b").tables();
        MemoryTables ofOriginal = all.server("a").tables();
        all.server("a").change(tables -> ofCopy);
        all.server("b").change(tables -> ofOriginal);
        all.servers.forEach(MemoryServer::breakConnections);
        for (Counter each : List.of(here, there)) {
            Await.until("another id space is noticed", () -> {
                List.of(original, copy).forEach(process -> process.nanos.addAndGet(60_000_000_000L));
                try {
                    throw new AssertionError("given: " + each.reserve(10));
                } catch (IdUnavailableException e) {
                    return String.valueOf(e.getMessage()).contains("The servers must belong to one id space");
                }
            });
        }
    }

    /** The servers number themselves, so that a part of the list numbers as the whole one does. */
    @ParameterizedTest
    @ValueSource(strings = {"move", "longer", "end", "repair", "twice"})
    void aCommandThatNamesOneOfTwoServersIsRefused(String command) throws Exception {
        MemoryCounters all = MemoryCounters.of(3);
        all.isNumberedByServers = true;
        MemoryCounters both = all.other("ab", "sequence");
        draw(both, "photos", 4);
        MemoryCounters one = all.other(command.equals("twice") ? "aa" : "a", "sequence");
        List<MemoryTables> before = tables(all);

        assertThatThrownBy(() -> run(command, all, one))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        "The counters belong to another list of servers: table=sequence name=photos on ")
                .hasMessageContaining(" belongs to [a-uuid, b-uuid], but this client lists ");

        assertThat(tables(all)).isEqualTo(before);
    }

    private void run(String command, MemoryCounters all, MemoryCounters one) {
        switch (command) {
            case "end" -> end(one);
            case "repair" -> one.move("photos", CounterMove.repair(0));
            case "longer" -> merge(all.other("ac", "sequence"), one);
            default -> merge(all.other("c", "sequence"), one);
        }
    }

    @Test
    void aServerJoinsOthersThatNumberThemselves() throws Exception {
        MemoryCounters all = MemoryCounters.of(3);
        all.isNumberedByServers = true;
        MemoryCounters both = all.other("ab", "sequence");
        long last = draw(both, "photos", 4);

        merge(all.other("abc", "sequence"), both);
        merge(all.other("abc", "sequence"), both);

        assertThat(draw(all.other("abc", "sequence"), "photos", 3)).isGreaterThan(last);
        assertThat(tables(all))
                .allMatch(each -> each.headers().get("sequence").members().size() == 3);
    }

    /** What a first attempt with the whole list has begun is not finished with a part of it. */
    @Test
    @Tag("slow")
    void aMoveThatWasCutOffIsNotFinishedWithAPartOfTheList() throws Exception {
        for (int writes : new int[] {0, 1, 2, 3, 4}) {
            for (String server : List.of("a", "b", "c")) {
                MemoryCounters all = MemoryCounters.of(3);
                all.isNumberedByServers = true;
                MemoryCounters both = all.other("ab", "sequence");
                long last = draw(both, "photos", 4);
                all.server(server).failWritesAfter(writes);
                try {
                    merge(all.other("c", "sequence"), both);
                } catch (DistributedIdException e) {
                    all.server(server).heal();
                    assertThatThrownBy(() -> merge(all.other("c", "sequence"), all.other("a", "sequence")))
                            .isInstanceOf(IdConfigurationException.class)
                            .hasMessageStartingWith("The counters belong to another list of servers");
                    merge(all.other("c", "sequence"), all.other("ab", "sequence"));
                }
                all.server(server).heal();
                assertThat(draw(all.other("c", "sequence"), "photos", 1)).isGreaterThan(last);
            }
        }
    }
}
