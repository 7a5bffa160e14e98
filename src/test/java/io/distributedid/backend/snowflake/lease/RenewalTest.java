package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdUnavailableException;
import io.distributedid.backend.snowflake.lease.MemoryStore.Answer;
import io.distributedid.internal.registry.MemoryCopy;
import io.distributedid.testkit.CountedWorkerStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Windows that are renewed without a read. */
class RenewalTest {

    private static final long START = Instant.parse("2026-11-21T12:00:00Z").toEpochMilli();

    private static final long WINDOW = 1_000;

    private static final long SKEW = WINDOW / 4;

    private long local = START;

    private long atStore = START;

    private long nanos;

    private final InstantSource clock = () -> Instant.ofEpochMilli(local);

    private final MemoryStore memory = new MemoryStore(() -> Instant.ofEpochMilli(atStore));

    private final CountedWorkerStore store = new CountedWorkerStore(memory);

    @Test
    void aWindowIsRenewedByOneOperation() throws Exception {
        StoreClient client = leasing();
        for (int renewal = 1; renewal <= 5; renewal++) {
            pass(WINDOW / 2);
            client.renew();

            assertThat(store.takeOperations()).isEqualTo(1);
            assertThat(client.granted().from()).isEqualTo(START);
            assertThat(client.granted().until()).isEqualTo(local + WINDOW);
            assertThat(memory.row(0)).isEqualTo(client.granted().row());
        }
    }

    @Test
    void theOffsetOfTheClockIsThatOfTheLastRenewal() throws Exception {
        StoreClient client = leasing();
        pass(WINDOW / 2);
        local += 70;
        client.renew();

        assertThat(client.clockOffset()).isEqualTo(Duration.ofMillis(70));
    }

    @Test
    void aStoreThatCanNotRenewInOneStepIsRead() throws Exception {
        StoreClient client = leasing();
        memory.renewsInOneStep(false);
        pass(WINDOW / 2);
        client.renew();

        assertThat(store.takeOperations()).isEqualTo(3);
        assertThat(client.granted().until()).isEqualTo(local + WINDOW);
    }

    @Test
    void aRecordThatAnotherHasChangedIsReadFirst() throws Exception {
        StoreClient client = leasing();
        StoreClient longer = new StoreClient(memory, terms(10 * WINDOW), clock, () -> nanos, () -> 0, "longer");
        renew(longer);
        pass(WINDOW / 2);
        client.renew();

        assertThat(store.takeOperations()).isEqualTo(3);
        assertThat(client.granted().until()).isEqualTo(local + WINDOW);
        pass(WINDOW / 2);
        client.renew();
        assertThat(store.takeOperations()).as("operations once it is known").isEqualTo(1);
    }

    @Test
    void aFenceIsSeenByARenewalThatDoesNotRead() throws Exception {
        StoreClient client = leasing();
        StoreRecord record = StoreRecord.of(memory).orElseThrow();
        memory.compareAndSetRecord(
                WorkerStore.STORE_RECORD, record.text(), record.moved("a-move").text());
        WorkerRow row = memory.row(0);
        pass(WINDOW / 2);

        assertThatThrownBy(client::renew).hasMessageStartingWith("The worker numbers have moved to another place");
        assertThat(memory.row(0)).isEqualTo(row);
    }

    @Test
    void aClockAtTheLimitOfTheSkewPassesAndNoFurtherOne() throws Exception {
        for (long offset : new long[] {SKEW, -SKEW}) {
            StoreClient client = leasing();
            pass(WINDOW);
            local += offset;
            client.renew();
            assertThat(store.takeOperations()).isEqualTo(1);
            assertThat(client.granted().until()).isEqualTo(local + WINDOW);
            local -= offset;
            pass(WINDOW);

            local += offset + Long.signum(offset);
            WorkerRow row = client.granted().row();
            assertThatThrownBy(client::renew)
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageStartingWith("The local clock must be near the store's");
            assertThat(memory.row(row.worker())).isEqualTo(row);
            assertThat(store.takeOperations()).as("the read").isEqualTo(1);
            local -= offset + Long.signum(offset);
        }
    }

    @Test
    void aRenewalWhoseAnswerWasLostIsRecognisedByARead() throws Exception {
        StoreClient client = leasing();
        pass(600);
        memory.answer(Answer.LOST);
        assertThatThrownBy(client::renew).isInstanceOf(WorkerStoreException.class);
        assertThat(client.granted().until()).as("before it is known").isEqualTo(START + WINDOW);
        WorkerRow written = memory.row(0);
        store.takeOperations();
        pass(10);
        client.renew();

        assertThat(store.takeOperations()).isEqualTo(1);
        assertThat(memory.row(0)).isEqualTo(written);
        assertThat(client.granted().row()).isEqualTo(written);
        pass(600);
        client.renew();
        assertThat(store.takeOperations()).as("operations of the next renewal").isEqualTo(1);
    }

    /** The store has not compared the clock of a request that it never saw, and the request would be repeated. */
    @Test
    void aWindowOfAWrongClockIsNotAskedForWhileTheStoreIsAway() throws Exception {
        StoreClient client = leasing();
        pass(600);
        memory.down(true);
        local += Duration.ofDays(1).toMillis();
        assertThatThrownBy(client::renew).isInstanceOf(WorkerStoreException.class);
        local -= Duration.ofDays(1).toMillis();
        memory.down(false);
        renew(client);

        assertThat(client.granted().until()).isEqualTo(local + WINDOW);
        assertThat(memory.row(0).reservedUntil()).isEqualTo(local + WINDOW);
    }

    @Test
    void aStoreWhoseClockWasSetIsReadBeforeItIsAsked() throws Exception {
        StoreClient client = leasing();
        pass(600);
        WorkerRow row = memory.row(0);
        atStore += SKEW + 1;

        assertThatThrownBy(client::renew).hasMessageStartingWith("The local clock must be near the store's");
        assertThat(store.takeOperations())
                .as("the refused renewal and the read")
                .isEqualTo(2);
        assertThat(memory.row(0)).isEqualTo(row);
    }

    @Test
    void aRenewalThatMayStillComeIsRepeatedAsItWas() throws Exception {
        StoreClient client = leasing();
        WorkerRow first = memory.row(0);
        pass(600);
        memory.answer(Answer.LOST_WITH_THE_QUESTION);
        assertThatThrownBy(client::renew).isInstanceOf(WorkerStoreException.class);
        WorkerRow sent = state(client).sent().next();
        pass(100);
        client.renew();

        assertThat(memory.row(0)).isEqualTo(sent);
        assertThat(memory.compareAndSet(first, sent)).as("the late one").isFalse();
    }

    /** The one that comes second must stop at once, whichever it is. */
    @Test
    void ofTwoCopiesOfAProcessOneIsRenewedAndTheOtherNotices() throws Exception {
        StoreClient original = leasing();
        StoreClient copy = copyOf(original);
        pass(WINDOW / 2);
        copy.renew();
        original.renew();

        assertThat(copy.granted().until()).isEqualTo(local + WINDOW);
        assertThat(original.granted().covers(local)).isFalse();
        renew(original);
        assertThat(original.granted().worker()).isEqualTo(1);
        pass(WINDOW / 2);
        copy.renew();
        assertThat(copy.granted().worker()).isZero();
        assertThat(copy.granted().until()).isEqualTo(local + WINDOW);
    }

    @Test
    void ofTwoCopiesWithTheSameUnansweredRequestOneGoesOn() throws Exception {
        StoreClient original = leasing();
        pass(WINDOW / 2);
        memory.answer(Answer.LOST);
        assertThatThrownBy(original::renew).isInstanceOf(WorkerStoreException.class);
        StoreClient copy = copyOf(original);
        List<StoreClient> both = List.of(original, copy);
        for (StoreClient each : both) {
            each.renew();
        }
        pass(WINDOW / 2 + 1);
        for (StoreClient each : both) {
            each.renew();
        }

        assertThat(both.stream().filter(each -> each.granted().covers(local))).hasSize(1);
    }

    private StoreClient copyOf(StoreClient original) {
        StoreClient copy = client();
        for (String field : List.of("state", "granted")) {
            MemoryCopy.set(copy, field, MemoryCopy.get(original, field));
        }
        for (String field : List.of("record", "since", "longestWindow")) {
            MemoryCopy.set(
                    MemoryCopy.get(copy, "record"), field, MemoryCopy.get(MemoryCopy.get(original, "record"), field));
        }
        return copy;
    }

    private static LeaseState state(StoreClient client) {
        return (LeaseState) MemoryCopy.get(client, "state");
    }

    private StoreClient leasing() throws Exception {
        StoreClient client = client();
        renew(client);
        store.takeOperations();
        return client;
    }

    private StoreClient client() {
        return new StoreClient(store, terms(WINDOW), clock, () -> nanos, () -> 0, "me");
    }

    private static void renew(StoreClient client) throws Exception {
        while (client.isDue()) {
            client.renew();
        }
    }

    private void pass(long millis) {
        local += millis;
        atStore += millis;
        nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private static LeaseTerms terms(long window) {
        return new LeaseTerms(
                new LeaseProtocol(window, 0, 9, false),
                Duration.ofMillis(window / 4),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5));
    }
}
