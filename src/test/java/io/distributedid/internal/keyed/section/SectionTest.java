package io.distributedid.internal.keyed.section;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.tenure.TenureProtocol;
import io.distributedid.internal.tenure.TenureRequest;
import io.distributedid.internal.tenure.TenureRow;
import io.distributedid.internal.tenure.TenureState;
import io.distributedid.internal.tenure.Term;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A section, and the row of its store, by hand. */
class SectionTest {

    private static final long LEASE = 10_000;

    private static final int STEP = 160;

    private final SectionProtocol protocol = new SectionProtocol(new TenureProtocol(LEASE), STEP);

    private final AtomicLong clock = new AtomicLong();

    /** Happens when the clock is read, which is after the increment. */
    private Runnable meanwhile = () -> {};

    private final KeyMemory memory = new KeyMemory(1 << 20);

    private final Section section = new Section(protocol, memory, () -> {
        Runnable once = meanwhile;
        meanwhile = () -> {};
        once.run();
        return clock.get();
    });

    private TenureState state = TenureState.EMPTY;

    private TenureRow row;

    private int tokens;

    private void send() {
        state = protocol.tenure().read(state, row, clock.get());
        TenureRequest request = protocol.request(state, section.wanted(), "A", "token" + tokens++, clock.get());
        assertThat(request.expected()).isEqualTo(row);
        row = request.next();
        state = protocol.tenure().granted(request);
        section.learn(state);
    }

    /** Holds the row, since the base {@code from}. */
    private static TenureState held(long from, long max) {
        return new TenureState(new Term(new TenureRow("A", max, LEASE, "max " + max), from, LEASE), null, null);
    }

    private void anotherOneOwned(long max) {
        row = new TenureRow("", max, LEASE, "token" + tokens++);
        state = TenureState.EMPTY;
        section.learn(state);
    }

    @Test
    void withoutATenureThereAreNoNumbers() {
        assertThat(section.next(7, 1)).isEqualTo(Section.NOT_OWNED);
        assertThat(section.current(7)).isEqualTo(Section.NOT_OWNED);
        assertThat(section.base()).isEqualTo(Section.NOT_OWNED);
    }

    @Test
    void anOwnerBeginsEachKeyAboveTheMaxOfTheRowThatItReplaced() {
        anotherOneOwned(5_000);
        send();

        assertThat(row.bound()).isEqualTo(5_000 + STEP);
        assertThat(section.base()).isEqualTo(5_000);
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
        assertThat(protocol.pause(state, section.wanted(), 0)).isPositive();
        assertThat(section.next(7, 1)).isEqualTo(150);
        assertThat(protocol.pause(state, section.wanted(), 0)).isZero();

        send();

        assertThat(row.bound()).isEqualTo(150 + STEP);
        assertThat(protocol.pause(state, section.wanted(), 0)).isPositive();
        assertThat(section.next(7, 1)).isEqualTo(151);
    }

    @Test
    void tenThousandNumbersCostLittleMoreThanAWrite() {
        SectionProtocol real = new SectionProtocol(new TenureProtocol(LEASE), 10_000);
        TenureState now = real.tenure().read(TenureState.EMPTY, null, 0);
        int writes = 0;
        for (long number = 0; number <= 1_000_000; number++) {
            if (real.pause(now, number, 0) <= 0 || number == 0) {
                writes++;
                now = real.tenure().granted(real.request(now, number, "A", "t" + writes, 0));
            }
        }
        assertThat(writes / 100.0).isLessThanOrEqualTo(1.1);
    }

    @Test
    void aRenewalKeepsMax() {
        send();
        section.next(7, 100);
        send();

        assertThat(row.bound()).isEqualTo(STEP);
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
        clock.set(protocol.tenure().usable() - 1);
        assertThat(section.next(7, 1)).isEqualTo(1);
        clock.incrementAndGet();
        assertThat(section.next(7, 1)).isEqualTo(Section.LEASE_OVER);
        assertThat(section.current(7)).isEqualTo(Section.LEASE_OVER);

        send();

        assertThat(section.next(7, 1))
                .as("the number without an answer is a gap")
                .isEqualTo(3);
    }

    @Test
    void theLeaseIsCheckedAfterTheIncrement() {
        send();
        meanwhile = () -> clock.set(LEASE);

        assertThat(section.next(7, 1)).isEqualTo(Section.LEASE_OVER);
        clock.set(0);
        assertThat(section.next(7, 1)).isEqualTo(2);
    }

    @Test
    void aRenewalBetweenIncrementAndCheckIsTakenUp() {
        send();
        meanwhile = () -> {
            clock.set(LEASE);
            send();
        };

        assertThat(section.next(7, 1)).isEqualTo(2);
    }

    @Test
    void aNewTenureBetweenIncrementAndCheckGivesItsOwnNumber() {
        send();
        meanwhile = () -> {
            clock.set(LEASE);
            anotherOneOwned(row.bound() + 1_000);
            send();
        };

        assertThat(section.next(7, 1)).isEqualTo(STEP + 1_001);
    }

    @Test
    void aHandOverLetsNoCallBeginAndKeepsMax() {
        send();
        section.next(7, 3);
        Term held = state.held();

        section.learn(TenureState.EMPTY);
        TenureRequest handOver = protocol.handOver(held, "free", 0);

        assertThat(section.next(7, 1)).isEqualTo(Section.NOT_OWNED);
        assertThat(handOver.expected()).isEqualTo(row);
        assertThat(handOver.next()).isEqualTo(new TenureRow("", STEP, LEASE, "free"));
        TenureState other = protocol.tenure().read(TenureState.EMPTY, handOver.next(), 0);
        assertThat(protocol.pause(other, 0, 0)).as("the next owner's wait").isZero();
        assertThat(memory.used()).isZero();
    }

    @Test
    void keysAreDroppedAboveTheMaxThatTheyHad() {
        send();
        section.next(7, 3);
        section.dropKeys();
        assertThat(protocol.pause(state, section.wanted(), 0)).isZero();
        assertThat(section.next(7, 1)).as("until the raise").isEqualTo(4);
        long used = memory.used();

        send();

        assertThat(row.bound()).isEqualTo(2 * STEP);
        assertThat(memory.used()).isLessThan(used);
        assertThat(section.next(7, 1)).isEqualTo(STEP + 1);
        assertThat(section.next(8, 1)).isEqualTo(STEP + 1);
        send();
        assertThat(section.next(7, 1)).as("they are dropped once").isEqualTo(STEP + 2);
    }

    @Test
    void withoutMemoryTheKeysAreDroppedWithTheNextRaise() {
        Section small = new Section(protocol, new KeyMemory(300), clock::get);
        send();
        small.learn(state);
        long key = 1;
        long answer = small.next(key, 1);
        while (answer > 0) {
            answer = small.next(++key << 30, 1);
        }
        assertThat(answer).isEqualTo(Section.KEYS_FULL);
        assertThat(small.wanted()).isEqualTo(STEP);

        TenureRequest request = protocol.request(state, small.wanted(), "A", "raised", 0);
        small.learn(protocol.tenure().granted(request));

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
        assertThat(section.base()).isEqualTo(5_000);
        assertThat(section.wanted()).isZero();
    }

    @Test
    void maxIsRaisedUpToTheLargestLong() {
        anotherOneOwned(Long.MAX_VALUE - STEP);
        send();

        assertThat(row.bound()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aStepOfOneIsTheSmallest() {
        assertThat(new SectionProtocol(new TenureProtocol(100), 1).step()).isEqualTo(1);
    }

    @Test
    void aRaiseIsDueBeforeTheLastSixteenthOfTheStepIsUsed() {
        send();

        assertThat(protocol.pause(state, 149, 0)).isPositive();
        assertThat(protocol.pause(state, 150, 0)).isZero();
    }

    @Test
    void aTenureBeginsAtTheBoundOfTheOneBefore() {
        send();
        assertThat(TenureProtocol.from(state)).isZero();
        anotherOneOwned(5_000);
        send();
        assertThat(TenureProtocol.from(state)).isEqualTo(5_000);
    }

    @Test
    void maxIsNotRaisedAboveTheLargestLong() {
        anotherOneOwned(Long.MAX_VALUE - STEP + 1);

        assertThatThrownBy(this::send)
                .isInstanceOf(IdsExhaustedException.class)
                .hasMessage("The numbers of a section of keys are used up: number=" + (Long.MAX_VALUE - STEP + 1)
                        + ". The largest number is 2^63 - 1. Use another sequence");
    }

    @Test
    void whoeverNeedsARaiseFirstAsksForIt() {
        AtomicInteger raises = new AtomicInteger();
        Section asking = new Section(protocol, memory, clock::get, raises::incrementAndGet);
        send();
        asking.learn(state);

        assertThat(asking.next(7, STEP - 11)).isEqualTo(149);
        assertThat(raises).hasValue(0);
        assertThat(asking.next(7, 1)).isEqualTo(150);
        assertThat(raises).hasValue(1);
        assertThat(asking.next(8, 150)).as("another key, no further").isEqualTo(150);
        assertThat(raises).hasValue(1);
        assertThat(asking.next(8, STEP)).isEqualTo(Section.ABOVE_MAX);
        assertThat(raises).hasValue(2);
        assertThat(asking.wanted()).isEqualTo(150 + STEP);

        asking.learn(TenureState.EMPTY);
        assertThat(asking.wanted()).as("the next tenure begins anew").isZero();
    }

    @Test
    void memoryIsThatOfTheKeysOfThisTenure() {
        assertThat(section.keyBytes()).isZero();
        send();
        assertThat(section.keyBytes()).isZero();
        section.next(7, 1);
        assertThat(section.keyBytes()).isPositive().isEqualTo(memory.used());

        section.learn(TenureState.EMPTY);

        assertThat(section.keyBytes()).isZero();
        assertThat(memory.used()).isZero();
    }

    @Test
    void aRenewalWithARaiseOfLessThanAStepDropsNoKeys() {
        send();
        section.next(7, 3);
        section.dropKeys();
        section.learn(held(section.base(), 2 * STEP - 1));

        assertThat(section.next(7, 1)).isEqualTo(4);
        assertThat(section.wanted()).as("they are still to be dropped").isEqualTo(2 * STEP - 1);

        section.learn(held(section.base(), 3 * STEP - 1));

        assertThat(section.next(7, 1)).isEqualTo(2 * STEP);
    }

    @Test
    void aCallTakesAStepAtMost() {
        assertThatThrownBy(() -> section.next(7, STEP + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The number of numbers must be 1 to 160: count=161");
        assertThatThrownBy(() -> section.next(7, 0)).hasMessageContaining("count=0");
        assertThatThrownBy(() -> new SectionProtocol(new TenureProtocol(LEASE), 0))
                .hasMessage("A step must be 1 or more: step=0");
        assertThatThrownBy(() -> new KeyMemory(0)).hasMessage("The memory for keys must be 1 byte or more: bytes=0");
    }
}
