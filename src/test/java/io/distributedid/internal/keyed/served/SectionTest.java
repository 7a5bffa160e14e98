package io.distributedid.internal.keyed.served;

import static io.distributedid.internal.lease.LeaseProtocol.Rule.UNCHANGED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.internal.keyed.source.KeyHash;
import io.distributedid.internal.lease.Lease;
import io.distributedid.internal.lease.LeaseProtocol;
import io.distributedid.internal.lease.Look;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Version;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A section, and the row of its store, by hand. */
class SectionTest {

    private static final long LEASE = 10_000;

    private static final int STEP = 160;

    private static final String ROW = "@keyed/messages/0";

    private static final Row HEADER =
            new Row("@keyed/messages", Version.first("header"), 1, Row.State.OPEN, Fields.NONE);

    private final SectionProtocol protocol = new SectionProtocol(new LeaseProtocol(UNCHANGED, LEASE), STEP);

    private final AtomicLong clock = new AtomicLong();

    /** Happens when the clock is read, which is after the increment. */
    private Runnable meanwhile = () -> {};

    private final KeyMemory memory = new KeyMemory(1 << 20);

    private final Section section = new Section(
            protocol,
            memory,
            () -> {
                Runnable once = meanwhile;
                meanwhile = () -> {};
                once.run();
                return clock.get();
            },
            () -> {});

    private SectionSeat seat = seat();

    private Row row = new Row(ROW, Version.first("first"), 0, Row.State.NONE, Fields.NONE);

    private Look look = new Look(HEADER, new Page(Map.of(), 0), 0, 0, "");

    private int tokens;

    private SectionSeat seat() {
        return SectionSeat.of(protocol, section, ROW, "A");
    }

    private void read() {
        look = new Look(HEADER, new Page(Map.of(ROW, row), 0), 0, clock.get(), "");
        seat.right().read(look);
    }

    /** Claims the row, renews it, or raises it, and learns that. */
    private void send() {
        read();
        clock.addAndGet(LEASE / 2);
        Change change = seat.due(true, look, "token" + tokens++, clock.get()).orElseThrow();
        assertThat(change.expected()).contains(row.version());
        row = change.next();
        seat.right().done(0, clock.get());
        read();
        section.learn(seat.right().held());
    }

    private boolean mustRaise() {
        return protocol.mustRaise(seat.right().held(), section.wanted());
    }

    /** Holds the row, since the base {@code from}. */
    private Lease held(long from, long max) {
        Row found = new Row(
                ROW,
                Version.first("max" + max),
                max,
                Row.State.NONE,
                protocol.lease().text("A"));
        return new Lease(found, from, clock.get(), null);
    }

    private void anotherOneOwned(long max) {
        row = Change.replace(row, "token" + tokens++, max, Row.State.NONE, Fields.NONE)
                .next();
        seat = seat();
        section.learn(null);
    }

    @Test
    void withoutATenureThereAreNoNumbers() {
        assertThat(section.next(7, 1)).isEqualTo(Section.NOT_OWNED);
        assertThat(section.current(7)).isEqualTo(Section.NOT_OWNED);
    }

    @Test
    void anOwnerBeginsEachKeyAboveTheMaxOfTheRowThatItReplaced() {
        anotherOneOwned(5_000);
        send();

        assertThat(row.number()).isEqualTo(5_000 + STEP);
        assertThat(section.current(7)).isEqualTo(5_000);
        assertThat(section.next(7, 1)).isEqualTo(5_001);
        assertThat(section.next(8, 10)).isEqualTo(5_010);
        assertThat(section.next(KeyHash.text("seven"), 1)).isEqualTo(5_001);
        assertThat(section.current(8)).isEqualTo(5_010);
    }

    @Test
    void maxIsRaisedAheadOfNeedToAStepAboveTheLargestNumber() {
        send();
        assertThat(section.next(7, STEP - 11)).isEqualTo(149);
        assertThat(mustRaise()).isFalse();
        assertThat(section.next(7, 1)).isEqualTo(150);
        assertThat(mustRaise()).isTrue();

        send();

        assertThat(row.number()).isEqualTo(150 + STEP);
        assertThat(mustRaise()).isFalse();
        assertThat(section.next(7, 1)).isEqualTo(151);
    }

    @Test
    void tenThousandNumbersCostLittleMoreThanAWrite() {
        SectionProtocol real = new SectionProtocol(new LeaseProtocol(UNCHANGED, LEASE), 10_000);
        Lease now = held(0, real.raised(0));
        int writes = 1;
        for (long number = 1; number <= 1_000_000; number++) {
            if (real.mustRaise(now, number)) {
                writes++;
                now = held(0, real.max(now, number));
            }
        }
        assertThat(writes / 100.0).isLessThanOrEqualTo(1.1);
    }

    @Test
    void aRenewalKeepsMax() {
        send();
        section.next(7, 100);
        send();

        assertThat(row.number()).isEqualTo(STEP);
    }

    @Test
    void aNumberAboveMaxWaitsForTheRaise() {
        send();
        section.next(7, 100);
        assertThat(section.next(7, STEP)).isEqualTo(Section.ABOVE_MAX);
        assertThat(section.wanted()).isEqualTo(100 + STEP);

        send();

        assertThat(section.next(7, STEP)).isEqualTo(100 + STEP);
    }

    @Test
    void afterTheLeaseThereAreNoNumbersUntilItIsRenewed() {
        send();
        clock.addAndGet(protocol.lease().left(seat.right().held(), clock.get()) - 1);
        assertThat(section.next(7, 1)).isEqualTo(1);
        clock.incrementAndGet();
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThat(section.next(7, 1)).isEqualTo(Section.LEASE_OVER);
            assertThat(section.next(8, 1)).isEqualTo(Section.LEASE_OVER);
        }
        assertThat(section.current(7)).isEqualTo(Section.LEASE_OVER);

        send();

        assertThat(section.next(7, 1)).as("attempts leave no gaps").isEqualTo(2);
        assertThat(section.next(8, 1)).isEqualTo(1);
    }

    @Test
    void theLeaseIsCheckedAfterTheIncrement() {
        send();
        long before = clock.get();
        AtomicLong taken = new AtomicLong();
        meanwhile = () -> {
            taken.set(section.current(7));
            clock.addAndGet(LEASE);
        };

        assertThat(section.next(7, 1)).isEqualTo(Section.LEASE_OVER);
        assertThat(taken).hasValue(1);
        clock.set(before);
        assertThat(section.next(7, 1)).isEqualTo(1);
    }

    @Test
    void beforeAReadHasConfirmedAClaimThereAreNoNumbers() {
        read();
        Change change = seat.due(true, look, "token", clock.get()).orElseThrow();
        row = change.next();
        seat.right().done(0, clock.get());
        section.learn(seat.right().held());
        assertThat(seat.isUnconfirmed()).isTrue();
        assertThat(section.next(7, 1)).isEqualTo(Section.LEASE_OVER);

        read();
        section.learn(seat.right().held());

        assertThat(section.next(7, 1)).as("nothing was incremented").isEqualTo(1);
    }

    @Test
    void aHandOverLetsNoCallBeginAndKeepsMax() {
        send();
        section.next(7, 3);
        seat.right().leave("free");
        section.learn(seat.right().held());
        Change handOver = seat.right().leaving().orElseThrow();

        assertThat(section.next(7, 1)).isEqualTo(Section.NOT_OWNED);
        assertThat(handOver.expected()).contains(row.version());
        assertThat(handOver.next().number()).isEqualTo(STEP);
        assertThat(LeaseProtocol.owner(handOver.next())).isEmpty();
        assertThat(memory.used()).isZero();
        row = handOver.next();
        seat = seat();
        send();
        assertThat(section.next(7, 1)).isEqualTo(STEP + 1);
    }

    /** As after a refusal that is over. */
    @Test
    void aTenureThatComesBackGoesOnAboveAllItsNumbers() {
        send();
        assertThat(section.next(7, 3)).isEqualTo(3);
        section.learn(null);
        assertThat(section.next(7, 1)).isEqualTo(Section.NOT_OWNED);

        section.learn(seat.right().held());

        assertThat(section.current(7)).isEqualTo(STEP);
        assertThat(section.next(7, 1)).isEqualTo(Section.ABOVE_MAX);
        send();
        assertThat(section.next(7, 1)).isEqualTo(STEP + 1);
    }

    @Test
    void keysAreDroppedAboveTheMaxThatTheyHad() {
        send();
        section.next(7, 3);
        section.dropKeys();
        assertThat(mustRaise()).isTrue();
        assertThat(section.next(7, 1)).as("until the raise").isEqualTo(4);
        long used = memory.used();

        send();

        assertThat(row.number()).isEqualTo(2 * STEP);
        assertThat(memory.used()).isLessThan(used);
        assertThat(section.next(7, 1)).isEqualTo(STEP + 1);
        assertThat(section.next(8, 1)).isEqualTo(STEP + 1);
        send();
        assertThat(section.next(7, 1)).as("they are dropped once").isEqualTo(STEP + 2);
    }

    @Test
    void withoutMemoryTheKeysAreDroppedWithTheNextRaise() {
        Section small = new Section(protocol, new KeyMemory(300), clock::get, () -> {});
        send();
        small.learn(seat.right().held());
        long key = 1;
        long answer = small.next(key, 1);
        while (answer > 0) {
            answer = small.next(++key << 30, 1);
        }
        assertThat(answer).isEqualTo(Section.KEYS_FULL);
        assertThat(small.wanted()).isEqualTo(STEP);

        small.learn(held(0, 2 * STEP));

        assertThat(small.next(key << 30, 1)).isEqualTo(STEP + 1);
        assertThat(small.next(1, 1)).isEqualTo(STEP + 1);
    }

    @Test
    void anotherTenureBeginsItsKeysAnewThoughNoHandOverWasSeen() {
        send();
        section.next(7, 3);
        section.next(7, STEP);
        assertThat(section.wanted()).isPositive();

        section.learn(held(5_000, 5_000 + STEP));

        assertThat(section.next(7, 1)).isEqualTo(5_001);
        assertThat(section.wanted()).isZero();
    }

    @Test
    void maxIsRaisedUpToTheLargestLong() {
        anotherOneOwned(Long.MAX_VALUE - STEP);
        send();

        assertThat(row.number()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aStepOfOneIsTheSmallest() {
        assertThat(new SectionProtocol(new LeaseProtocol(UNCHANGED, 100), 1).step())
                .isEqualTo(1);
    }

    @Test
    void aRaiseIsDueBeforeTheLastSixteenthOfTheStepIsUsed() {
        send();

        assertThat(protocol.mustRaise(seat.right().held(), 149)).isFalse();
        assertThat(protocol.mustRaise(seat.right().held(), 150)).isTrue();
    }

    @Test
    void maxIsNotRaisedAboveTheLargestLong() {
        anotherOneOwned(Long.MAX_VALUE - STEP + 1);
        read();

        assertThat(seat.due(true, look, "token", clock.get())).isEmpty();
        assertThat(section.exhausted())
                .contains("The numbers of a section of keys are used up: number=" + (Long.MAX_VALUE - STEP + 1)
                        + ". The largest number is 2^63 - 1. Use another sequence");
    }

    @Test
    void whoeverNeedsARaiseFirstAsksForIt() {
        AtomicInteger raises = new AtomicInteger();
        Section asking = new Section(protocol, memory, clock::get, raises::incrementAndGet);
        send();
        asking.learn(seat.right().held());

        assertThat(asking.next(7, STEP - 11)).isEqualTo(149);
        assertThat(raises).hasValue(0);
        assertThat(asking.next(7, 1)).isEqualTo(150);
        assertThat(raises).hasValue(1);
        assertThat(asking.next(8, 150)).as("another key, no further").isEqualTo(150);
        assertThat(raises).hasValue(1);
        assertThat(asking.next(8, STEP)).isEqualTo(Section.ABOVE_MAX);
        assertThat(raises).hasValue(2);
        assertThat(asking.wanted()).isEqualTo(150 + STEP);

        asking.learn(null);
        assertThat(asking.wanted()).as("the next tenure begins anew").isZero();
    }

    @Test
    void whoeverFindsNoMemoryForAKeyAsksForARaise() {
        AtomicInteger raises = new AtomicInteger();
        Section asking = new Section(protocol, new KeyMemory(50), clock::get, raises::incrementAndGet);
        send();
        asking.learn(seat.right().held());
        long key = 1;
        while (asking.next(key, 1) > 0) {
            key++;
        }

        assertThat(raises).hasValue(1);
        assertThat(asking.wanted()).isEqualTo(STEP);
    }

    /** Otherwise it would be dropped when its places are half used. */
    @Test
    void aMapThatHasRoomTakesKeysThoughMemoryIsShort() {
        KeyMemory short64 = new KeyMemory(64L * 12);
        Section growing = new Section(protocol, short64, clock::get, () -> {});
        send();
        growing.learn(seat.right().held());
        long keys = 0;
        while (growing.next(keys, 1) > 0) {
            keys++;
        }

        assertThat(keys).isGreaterThanOrEqualTo(28);
    }

    @Test
    void memoryIsThatOfTheKeysOfThisTenure() {
        assertThat(section.keyBytes()).isZero();
        send();
        assertThat(section.keyBytes()).isZero();
        section.next(7, 1);
        assertThat(section.keyBytes()).isPositive().isEqualTo(memory.used());

        section.learn(null);

        assertThat(section.keyBytes()).isZero();
        assertThat(memory.used()).isZero();
    }

    @Test
    void aRenewalWithARaiseOfLessThanAStepDropsNoKeys() {
        send();
        section.next(7, 3);
        section.dropKeys();
        section.learn(held(0, 2 * STEP - 1));

        assertThat(section.next(7, 1)).isEqualTo(4);
        assertThat(section.wanted()).as("they are still to be dropped").isEqualTo(2 * STEP - 1);

        section.learn(held(0, 3 * STEP - 1));

        assertThat(section.next(7, 1)).isEqualTo(2 * STEP);
    }

    @Test
    void aCallTakesAStepAtMost() {
        assertThatThrownBy(() -> section.next(7, STEP + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The number of numbers must be 1 to 160: count=161");
        assertThatThrownBy(() -> section.next(7, 0)).hasMessageContaining("count=0");
        assertThatThrownBy(() -> new SectionProtocol(new LeaseProtocol(UNCHANGED, LEASE), 0))
                .hasMessage("A step must be 1 or more: step=0");
        assertThatThrownBy(() -> new KeyMemory(0)).hasMessage("The memory for keys must be 1 byte or more: bytes=0");
    }
}
