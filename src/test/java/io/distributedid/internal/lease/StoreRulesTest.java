package io.distributedid.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.distributedid.internal.lease.StoreHeader.Terms;
import io.distributedid.internal.lease.StoreRules.Decision;
import io.distributedid.internal.lease.StoreRules.ReadAgain;
import io.distributedid.internal.lease.StoreRules.Reason;
import io.distributedid.internal.lease.StoreRules.Refused;
import io.distributedid.internal.lease.StoreRules.Write;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.LedgerMemory.Known;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What {@link StoreModelTest} found: each was missed by an earlier rule. */
class StoreRulesTest {

    private static final Terms TERMS = new Terms(2_000, 500);

    private static final Set<String> ASKED = Set.of(StoreHeader.NAME, StoreHeader.worker(0));

    private static StoreHeader header() {
        return StoreHeader.first("token", "server", TERMS, "first").workers(1);
    }

    private static Decision decide(StoreHeader header, Known known, long time) {
        Page page = new Page(Map.of(StoreHeader.NAME, header.row()), time);
        return StoreRules.decide(page, ASKED, known, "server", true, TERMS, "random");
    }

    private static StoreHeader told(Decision decision) {
        return new StoreHeader(((Write) decision).changes().get(0).next());
    }

    @Test
    void aRowThatIsMissingIsCreatedAtOnceAndFreeOnlyAfterTheWait() {
        Decision decision = decide(header(), new Known(Map.of()), 10_000);

        assertThat(told(decision).lost()).isEqualTo(10_000);
        assertThat(((Write) decision).changes())
                .extracting(Change::next)
                .extracting(Row::name, Row::number)
                .contains(tuple(StoreHeader.worker(0), 14_000L));
    }

    /** Otherwise the wait would begin anew when the others are found to be missing. */
    @Test
    void aLossIsToldOnceAllRowsWereRead() {
        Decision decision = decide(header().workers(3), new Known(Map.of()), 10_000);

        assertThat(decision).isEqualTo(new ReadAgain(List.of("@worker/0", "@worker/1", "@worker/2")));
    }

    /** Whoever has just started can't know whether it was missing before. */
    @Test
    void aRowThatIsMissingDuringTheWaitBeginsItAnew() {
        Decision decision = decide(header().lostSince(9_000), new Known(Map.of()), 10_000);

        assertThat(told(decision).lost()).isEqualTo(10_000);
    }

    /** A change of the target's header would keep a move from ending. */
    @Test
    void aTargetIntoWhichRowsAreCopiedHasLostNothing() {
        Decision decision = decide(header().in(Row.State.MADE), new Known(Map.of()), 10_000);

        assertThat(decision).isInstanceOf(Refused.class).extracting("reason").isEqualTo(Reason.MADE);
    }

    @Test
    void aHeaderThatIsSetBackWaitsForTheLongerWindowsThatOthersHad() {
        StoreHeader longer = header().windows(new Terms(60_000, 500));
        Row known = longer.change("second").next();

        Decision decision = decide(header(), new Known(Map.of(StoreHeader.NAME, known)), 10_000);

        assertThat(told(decision).opens()).isEqualTo(10_000 + longer.longest());
    }

    /** A copy of the store, on a server of its own, must not lease what the store leases. */
    @Test
    void aStoreThatHasLostSomethingOpensOnItsOwnServerOnly() {
        Page page = new Page(
                Map.of(StoreHeader.NAME, header().workers(0).lostSince(1_000).row()), 1_000_000);

        assertThat(decide(page, "other"))
                .isInstanceOf(Refused.class)
                .extracting("reason")
                .isEqualTo(Reason.LOST_ELSEWHERE);
        assertThat(decide(page, "server")).isInstanceOf(Write.class);
        assertThat(decide(page, "")).as("a server without identity").isInstanceOf(Write.class);
    }

    private static Decision decide(Page page, String server) {
        return StoreRules.decide(page, Set.of(StoreHeader.NAME), new Known(Map.of()), server, true, TERMS, "random");
    }

    @Test
    void whoMovesAtTheSameTimeUsesTheTargetThatIsThere() {
        Page source = new Page(Map.of(StoreHeader.NAME, header().workers(0).row()), 10_000);
        Page empty = new Page(Map.of(), 10_000);
        Change made = make("one", source, empty).target().get(0);
        Page target = new Page(Map.of(StoreHeader.NAME, made.next()), 10_000);

        Change closed = make("other", source, target).source().get(0);

        assertThat(new StoreHeader(closed.next()).target())
                .isEqualTo("there@" + made.next().version());
    }

    private static StoreCommand.Make make(String id, Page source, Page target) {
        return (StoreCommand.Make)
                new StoreCommand(id, "here").move(source, "server", target, "there", "server", "here", "random" + id);
    }
}
