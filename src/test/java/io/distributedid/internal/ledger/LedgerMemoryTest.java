package io.distributedid.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.ledger.Verdict.Doubt;
import io.distributedid.internal.ledger.Verdict.Fine;
import io.distributedid.internal.ledger.Verdict.Kind;
import io.distributedid.internal.ledger.Verdict.Loss;
import io.distributedid.internal.ledger.Verdict.OtherStore;
import io.distributedid.internal.ledger.Verdict.Stale;
import io.distributedid.testkit.Together;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LedgerMemoryTest {

    private static final Row STORE =
            new Row("@store", new Version(2, "e5d4"), 64, Row.State.OPEN, Fields.NONE.with(Fields.TOKEN, "7f3a"));

    private static final Row ROW = row(9, "31aa", 100);

    private final LedgerMemory memory = new LedgerMemory();

    private static Row row(long count, String random, long number) {
        return new Row("@worker/7", new Version(count, random), number, Row.State.OPEN, Fields.NONE);
    }

    private Verdict judge(boolean isSynchronised, Row... found) {
        Map<String, Row> rows = new HashMap<>();
        for (Row each : found) {
            rows.put(each.name(), each);
        }
        return memory.known().judge(new Page(rows, 0), List.of(STORE.name(), ROW.name()), isSynchronised);
    }

    private void finds(Kind kind, Row... found) {
        memory.learn(List.of(STORE, ROW));
        Row known = kind == Kind.OTHER_TOKEN ? STORE : ROW;
        Row shown = Stream.of(found)
                .filter(row -> row.name().equals(known.name()))
                .findAny()
                .orElse(null);
        List<Doubt> doubts = List.of(new Doubt(kind, known, shown));
        assertThat(judge(false, found)).isEqualTo(new Stale(doubts));
        assertThat(judge(true, found)).isEqualTo(kind == Kind.OTHER_TOKEN ? new OtherStore(doubts) : new Loss(doubts));
    }

    @Test
    void whoKnowsNothingFindsEverythingFine() {
        assertThat(judge(true)).isEqualTo(new Fine());
        assertThat(judge(false, STORE, ROW)).isEqualTo(new Fine());
    }

    @Test
    void laterRowsAreFine() {
        memory.learn(List.of(STORE, ROW));

        assertThat(judge(false, STORE, ROW)).isEqualTo(new Fine());
        assertThat(judge(false, STORE, row(9, "31aa", 101))).isEqualTo(new Fine());
        assertThat(judge(false, STORE, row(10, "77b0", 1))).isEqualTo(new Fine());
    }

    @Test
    void aMissingRowIsALoss() {
        finds(Kind.MISSING, STORE);
    }

    @Test
    void aLowerVersionIsALoss() {
        finds(Kind.OLDER, STORE, row(8, "ffff", 500));
    }

    @Test
    void theSameVersionWithAnotherRandomPartIsAnotherHistory() {
        finds(Kind.OTHER_HISTORY, STORE, row(9, "31ab", 500));
    }

    @Test
    void aLowerNumberUnderTheSameVersionIsALoss() {
        finds(Kind.LOWER, STORE, row(9, "31aa", 99));
    }

    @Test
    void anotherTokenIsAnotherStoreWhateverItsVersion() {
        Row other =
                new Row("@store", new Version(3, "aaaa"), 64, Row.State.OPEN, Fields.NONE.with(Fields.TOKEN, "other"));
        finds(Kind.OTHER_TOKEN, other, ROW);
    }

    @Test
    void theLargestNumberOfAVersionIsLearned() {
        memory.learn(List.of(STORE, ROW));

        memory.learn(List.of(row(9, "31aa", 150)));
        memory.learn(List.of(row(9, "31aa", 120)));
        memory.learn(List.of(row(8, "0000", 900)));

        assertThat(judge(true, STORE, row(9, "31aa", 150))).isEqualTo(new Fine());
        assertThat(judge(true, STORE, row(9, "31aa", 149))).isInstanceOf(Loss.class);
        assertThat(judge(true, STORE, row(10, "77b0", 0))).isEqualTo(new Fine());
    }

    @Test
    void aPageThatWasAskedForBeforeAChangeIsNoLoss() {
        memory.learn(List.of(STORE, ROW));
        LedgerMemory.Known before = memory.known();
        Page page = new Page(Map.of(STORE.name(), STORE, ROW.name(), ROW), 0);
        memory.learn(List.of(row(10, "77b0", 200)));

        assertThat(before.judge(page, List.of(STORE.name(), ROW.name()), true)).isEqualTo(new Fine());

        memory.learn(page.rows().values());
        assertThat(memory.known().rows().get(ROW.name()).number()).isEqualTo(200);
    }

    @Test
    void anotherHistoryIsNotLearned() {
        memory.learn(List.of(STORE, ROW));
        memory.learn(List.of(row(9, "31ab", 500)));

        assertThat(memory.known().rows()).containsEntry(ROW.name(), ROW);
    }

    @Test
    void threadsThatLearnAtOnceLoseNothing() throws Exception {
        memory.learn(List.of(STORE, ROW));

        Together.run(4, thread -> {
            LongStream.range(0, 1_000).forEach(i -> memory.learn(List.of(row(9, "31aa", i * 4 + thread))));
            return thread;
        });

        assertThat(memory.known().rows().get(ROW.name()).number()).isEqualTo(3_999);
    }
}
