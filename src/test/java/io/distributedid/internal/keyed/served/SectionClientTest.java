package io.distributedid.internal.keyed.served;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.LedgerMemory;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rounds of two processes with one store in memory, by a clock that the tests set. */
class SectionClientTest {

    private static final int SECTIONS = 1_000;

    private static final Duration LEASE = Duration.ofSeconds(5);

    private final MemorySectionStore store = new MemorySectionStore();

    private long now = 1;

    private final Platform platform = new Platform() {

        private int tokens;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public String token() {
            return "token" + ++tokens;
        }
    };

    private final Map<SectionClient, List<Section>> sections = new HashMap<>();

    private SectionClient client(String address) {
        SectionOptions options = new SectionOptions(SECTIONS, LEASE, address, 1 << 20);
        KeyMemory memory = new KeyMemory(1 << 20);
        List<Section> all = Stream.generate(() -> new Section(options.protocol(), memory, platform, () -> {}))
                .limit(SECTIONS)
                .toList();
        SectionRows rows = new SectionRows(store, "messages", SECTIONS, new LedgerMemory(), platform);
        SectionClient client = new SectionClient(rows, options, all, memory, platform, () -> {});
        sections.put(client, all);
        return client;
    }

    private Section section(SectionClient client, int index) {
        return sections.get(client).get(index);
    }

    private static void round(SectionClient client) throws SQLException, InterruptedException {
        client.read();
        client.publish();
        List<Change> due = client.decide();
        client.publish();
        client.send(due);
        client.publish();
    }

    private static void rounds(int count, SectionClient... clients) throws SQLException, InterruptedException {
        for (int i = 0; i < count; i++) {
            for (SectionClient client : clients) {
                round(client);
            }
        }
    }

    private void after(Duration time) {
        now += time.toNanos();
    }

    @Test
    void aThousandSectionsAreClaimedAndHandedOverInOneWriteEach() throws Exception {
        SectionClient first = client("a");
        rounds(3, first);
        assertThat(store.owned("a")).isEqualTo(SECTIONS);
        assertThat(store.calls)
                .as("the header is opened, its own row, all sections")
                .containsExactly(1, 1, SECTIONS);
        assertThat(section(first, 0).next(7, 1)).isEqualTo(1);

        first.leave();
        assertThat(store.owned("")).isEqualTo(SECTIONS);
        assertThat(section(first, 0).next(7, 1)).isEqualTo(Section.NOT_OWNED);
        SectionClient second = client("b");
        rounds(3, second);
        assertThat(store.owned("b")).isEqualTo(SECTIONS);
        assertThat(section(second, 0).next(7, 1)).isEqualTo(10_001);
    }

    @Test
    void afterALostAnswerTheStoreTellsWhatWasDone() throws Exception {
        SectionClient client = client("a");
        round(client);
        store.fault = MemorySectionStore.Fault.LOST_ANSWER;
        assertThatThrownBy(() -> round(client)).isInstanceOf(SQLException.class);
        assertThat(section(client, 0).next(7, 1)).isEqualTo(Section.NOT_OWNED);
        store.fault = MemorySectionStore.Fault.NONE;
        rounds(2, client);

        assertThat(section(client, 0).next(7, 1)).isEqualTo(1);
        assertThat(store.section(0).number()).as("claimed once").isEqualTo(10_000);
    }

    @Test
    void aRowThatATransactionHoldsIsLeftOutAndAskedForWithPauses() throws Exception {
        SectionClient client = client("a");
        rounds(3, client);
        store.locked.add("@keyed/messages/7");
        after(LEASE.dividedBy(2));
        round(client);
        assertThat(client.isStuck()).as("all others were renewed").isFalse();
        round(client);
        assertThat(client.isStuck()).isTrue();
        after(LEASE.dividedBy(2));
        assertThat(section(client, 7).next(7, 1)).isEqualTo(Section.LEASE_OVER);
        assertThat(section(client, 8).next(7, 1)).isEqualTo(1);

        store.locked.clear();
        rounds(2, client);
        assertThat(section(client, 7).next(7, 1)).isPositive();
        assertThat(client.isStuck()).isFalse();
    }

    @Test
    void aProcessTakesPartThoughATransactionHoldsAFreeRowOfMembers() throws Exception {
        SectionClient first = client("a");
        rounds(3, first);
        first.leave();
        store.locked.add("@keyed/messages/member/0");
        rounds(4, client("b"));

        assertThat(store.owned("b")).isEqualTo(SECTIONS);
    }

    @Test
    void aDelayedRequestIsRepeatedUnchanged() throws Exception {
        SectionClient client = client("a");
        round(client);
        store.fault = MemorySectionStore.Fault.DELAYED;
        assertThatThrownBy(() -> round(client)).isInstanceOf(SQLException.class);
        store.fault = MemorySectionStore.Fault.NONE;
        rounds(2, client);
        Row claimed = store.section(0);
        assertThat(claimed).isEqualTo(store.delayed.get(0).next());
        store.doDelayed();

        assertThat(store.section(0)).isEqualTo(claimed);
        assertThat(section(client, 0).next(7, 1)).isEqualTo(1);
    }

    @Test
    @Tag("slow")
    void aSectionIsMovedToANewProcessOneAtATimeAndGivesNothingMeanwhile() throws Exception {
        SectionClient first = client("a");
        rounds(3, first);
        SectionClient second = client("b");
        round(second);
        rounds(3, first);
        assertThat(store.owned("")).as("handed over, and not claimed yet").isEqualTo(1);
        round(second);
        assertThat(store.owned("b")).isEqualTo(1);
        for (int i = 0; i < 700; i++) {
            rounds(1, first, second);
        }
        assertThat(store.owned("b")).isBetween(400L, 600L);
        assertThat(store.owned("a") + store.owned("b")).isEqualTo(SECTIONS);
    }

    @Test
    void aHandOverWhoseAnswerIsLateGivesNoNumberAndIsRepeated() throws Exception {
        SectionClient first = client("a");
        rounds(3, first);
        round(client("b"));
        store.fault = MemorySectionStore.Fault.DELAYED;
        assertThatThrownBy(() -> round(first)).isInstanceOf(SQLException.class);
        first.publish();
        assertThat(notOwned(first)).isEqualTo(1);
        store.fault = MemorySectionStore.Fault.NONE;
        round(first);
        assertThat(store.owned("")).isEqualTo(1);
        store.doDelayed();
        round(first);
        assertThat(notOwned(first)).isEqualTo(1);
    }

    private long notOwned(SectionClient client) {
        long count = 0;
        for (int section = 0; section < SECTIONS; section++) {
            count += section(client, section).current(7) == Section.NOT_OWNED ? 1 : 0;
        }
        return count;
    }

    @Test
    void aKilledProcessIsReplacedAfterItsLeaseAndNotBefore() throws Exception {
        SectionClient first = client("a");
        rounds(3, first);
        SectionClient second = client("b");
        rounds(2, second);
        after(LEASE);
        rounds(1, second);
        assertThat(store.owned("a")).isEqualTo(SECTIONS);
        assertThat(section(first, 0).next(7, 1)).isEqualTo(Section.LEASE_OVER);

        after(LEASE.dividedBy(50));
        rounds(1, second);
        assertThat(store.owned("b")).isEqualTo(SECTIONS);
        round(first);
        assertThat(notOwned(first)).isEqualTo(SECTIONS);
    }

    /** As with a fixed address. The clock may begin anywhere. */
    @Test
    void aProcessThatFindsTheRowOfItsFormerLifeRenewsItAtOnce() throws Exception {
        now = -TimeUnit.DAYS.toNanos(1);
        rounds(2, client("a"));
        Row before = store.rows.get("@keyed/messages/member/0");
        rounds(2, client("a"));

        assertThat(store.rows.get("@keyed/messages/member/0").version().count())
                .isGreaterThan(before.version().count());
    }

    @Test
    void theRowOfADeadProcessIsUsedByANewOne() throws Exception {
        rounds(2, client("killed"));
        SectionClient second = client("b");
        for (int i = 0; i < 60; i++) {
            after(Duration.ofSeconds(1));
            round(second);
        }
        rounds(1, client("c"));

        assertThat(store.rows.keySet().stream().filter(each -> each.contains("/member/")))
                .hasSize(2);
    }

    @Test
    void theLeaseIsRenewedInTimeByOneWriteForAllSections() throws Exception {
        SectionClient client = client("a");
        rounds(3, client);
        store.calls.clear();
        for (int i = 0; i < 100; i++) {
            now += TimeUnit.MILLISECONDS.toNanos(200);
            round(client);
            assertThat(section(client, 0).next(7, 1)).isPositive();
        }
        assertThat(store.calls).hasSizeBetween(10, 15).allMatch(writes -> writes == SECTIONS + 1);
    }
}
