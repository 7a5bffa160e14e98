package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.backend.snowflake.lease.MemoryStore.Answer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a move does with single-use numbers, whose owners read no record any more. */
class StoreMoveTest {

    private static final long START = Instant.parse("2026-11-21T12:00:00Z").toEpochMilli();

    private static final long WINDOW = 1_000;

    private long now = START;

    private final InstantSource clock = () -> Instant.ofEpochMilli(now);

    /** Happens once, while the rows of the old store are read. */
    private Runnable meanwhile = () -> {};

    /** Happens once, while the move waits for the last windows. */
    private Step afterTheFence = () -> {};

    private interface Step {

        void run() throws Exception;
    }

    private final MemoryStore old = new MemoryStore(() -> {
        Runnable happens = meanwhile;
        meanwhile = () -> {};
        happens.run();
        return clock.instant();
    });

    private final MemoryStore next = new MemoryStore(clock);

    @Test
    void aSingleUseNumberStaysBurntAtTheNewPlace() throws Exception {
        StoreClient burnt = leased(client(old, true));
        leased(moving());
        move();

        assertThat(burnt.granted().worker()).isZero();
        assertThat(burnt.isDue()).isFalse();
        assertThat(leased(client(next, false)).granted().worker()).isEqualTo(1);
        assertThat(leased(client(next, true)).granted().worker()).isEqualTo(2);
        assertThat(leased(client(next, false)).granted().worker()).isEqualTo(3);
    }

    @Test
    void aSingleUseNumberOfAVersionThatDidNotRecordItStaysBurnt() throws Exception {
        leased(client(old, false));
        old.put(new WorkerRow(4, "app1", Long.MAX_VALUE, "a"));
        pass(WINDOW);
        leased(moving());
        move();

        StoreRecord settled = StoreRecord.of(next).orElseThrow();
        assertThat(settled.burnt()).isEqualTo(new BurntNumbers(4, 4));
    }

    @Test
    void aSingleUseNumberWhoseRowArrivesAfterTheMoveStaysBurnt() throws Exception {
        leased(client(old, false));
        pass(WINDOW);
        leased(moving());
        StoreClient late = client(old, true);
        old.answer(Answer.LOST_WITH_THE_QUESTION);
        assertThatThrownBy(late::renew).isInstanceOf(WorkerStoreException.class);
        move();
        old.put(new WorkerRow(1, "late", Long.MAX_VALUE, "late"));

        assertThat(leased(client(next, false)).granted().worker()).isZero();
        assertThat(leased(client(next, false)).granted().worker()).isEqualTo(2);
    }

    @Test
    void aSingleUseNumberThatIsTakenDuringTheMoveStaysBurnt() throws Exception {
        leased(client(old, false));
        pass(WINDOW);
        leased(moving());
        afterTheFence = () -> {
            leased(moving(true));
            old.forgetRows();
            next.forgetRows();
        };
        move();

        assertThat(StoreRecord.of(next).orElseThrow().burnt()).isEqualTo(new BurntNumbers(1, 1));
    }

    @Test
    void numbersAmongBurntOnesThatWereLeasedCanBeLeasedAtTheNewPlace() throws Exception {
        leased(client(old, true));
        leased(client(old, false));
        leased(client(old, false));
        leased(client(old, true));
        pass(WINDOW);
        leased(moving());
        move();

        assertThat(StoreRecord.of(next).orElseThrow().burnt()).isEqualTo(new BurntNumbers(0, 3));
        assertThat(leased(client(next, false)).granted().worker()).isEqualTo(1);
        assertThat(leased(client(next, false)).granted())
                .satisfies(grant -> assertThat(grant.worker()).isEqualTo(2))
                .satisfies(grant -> assertThat(grant.from()).isEqualTo(now));
        assertThat(leased(client(next, false)).granted().worker()).isEqualTo(4);
    }

    @Test
    void theOldPlaceIsNotFencedWhileALayoutChanges() throws Exception {
        leased(client(old, false));
        pass(WINDOW);
        leased(moving());
        LeaseClient.record(old, "photos", "A");
        meanwhile = () -> {
            try {
                StoreRecord found = StoreRecord.of(old).orElseThrow();
                old.compareAndSetRecord("photos", "A", "A changes to B");
                old.compareAndSetRecord(
                        WorkerStore.STORE_RECORD, found.text(), found.changed().text());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };

        assertThatThrownBy(this::move)
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        "The layout of a sequence is being changed: seq=photos memory records A changes" + " to B.");
        assertThat(StoreRecord.of(old).orElseThrow())
                .satisfies(found -> assertThat(found.state()).isEqualTo(StoreRecord.State.SETTLED))
                .satisfies(found -> assertThat(found.changes()).isEqualTo(1));
        assertThat(next.record("photos")).isEmpty();
    }

    private LeaseClient moving() {
        return moving(false);
    }

    private LeaseClient moving(boolean singleUse) {
        return new MovingClient(old, next, terms(singleUse), clock, this::nanos, () -> 0, "both");
    }

    private void move() throws Exception {
        new StoreMove(old, next, this::nanos, millis -> {
                    pass(millis);
                    try {
                        Step step = afterTheFence;
                        afterTheFence = () -> {};
                        step.run();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .finish(false);
    }

    private StoreClient client(WorkerStore store, boolean singleUse) {
        return new StoreClient(store, terms(singleUse), clock, this::nanos, () -> 0, "alone");
    }

    private static <C extends LeaseClient> C leased(C client) throws Exception {
        while (client.isDue()) {
            client.renew();
        }
        return client;
    }

    private static LeaseTerms terms(boolean singleUse) {
        return new LeaseTerms(
                new LeaseProtocol(WINDOW, 0, 9, singleUse),
                Duration.ofMillis(WINDOW / 4),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5));
    }

    private long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(now - START);
    }

    private void pass(long millis) {
        now += millis;
    }
}
