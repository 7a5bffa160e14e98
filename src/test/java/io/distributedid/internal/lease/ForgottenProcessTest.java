package io.distributedid.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Ledger;
import io.distributedid.internal.ledger.MemoryLedger;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a process finds that did not reach its store for a while, or whose store is not as it was. */
class ForgottenProcessTest {

    private static final long START = Instant.parse("2026-11-21T12:00:00Z").toEpochMilli();

    private static final long WINDOW = 1_000;

    private static final long SKEW = 250;

    private static final StoreHeader.Terms TERMS = new StoreHeader.Terms(WINDOW, SKEW);

    private static final long OVER = LeaseProtocol.HANDBACK_WAIT_MILLIS + WINDOW + 2 * SKEW;

    private long local = START;

    private long atStore = START;

    private long nanos;

    private final ConcurrentHashMap<String, Row> rows = new ConcurrentHashMap<>();

    private final MemoryLedger ledger = new MemoryLedger(rows, () -> atStore);

    private final MemoryLeaseStore store = new MemoryLeaseStore(ledger);

    @BeforeEach
    void begin() {
        ledger.write(List.of(Change.create(Ledger.STORE, "created", 0, Row.State.NEW, Fields.NONE)));
    }

    private LeaseClient client() {
        return new LeaseClient(store, TERMS, () -> Instant.ofEpochMilli(local), () -> nanos);
    }

    private static Right worker(long first, long last) {
        return Right.worker(new Right.Numbers(first, last), false, "me");
    }

    private static Lease held(Right right) {
        return Objects.requireNonNull(right.current());
    }

    private void pass(long millis) {
        local += millis;
        atStore += millis;
        nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private StoreHeader header() {
        return new StoreHeader(Objects.requireNonNull(rows.get(StoreHeader.NAME)));
    }

    private StoreOperator operator() {
        Platform platform = new Platform() {
            @Override
            public long nanoTime() {
                return nanos;
            }

            @Override
            public void pause(long time) {
                pass(TimeUnit.NANOSECONDS.toMillis(time) + 1);
            }
        };
        return new StoreOperator(store, platform, false);
    }

    @Test
    void twoRightsOfAProcessGetNumbersAgainAfterALoss() throws Exception {
        Platform platform = new Platform() {
            @Override
            public long nanoTime() {
                return nanos;
            }

            @Override
            public long random(long least, long bound) {
                return least;
            }
        };
        LeaseClient client = new LeaseClient(store, TERMS, () -> Instant.ofEpochMilli(local), platform);
        Right one = worker(0, 1023);
        Right other = worker(0, 255);
        client.step(List.of(one), false);
        client.step(List.of(other), false);

        rows.remove("@worker/0");
        rows.remove("@worker/1");
        List<String> said = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            pass(WINDOW / 2);
            try {
                client.step(List.of(one, other), false);
            } catch (IdUnavailableException | IllegalArgumentException e) {
                said.add(e.getMessage());
            }
        }
        assertThat(header().lost()).as("the store is open again").isZero();
        assertThat(one.isConfirmed() && other.isConfirmed())
                .as("%s", said.get(said.size() - 1))
                .isTrue();
    }

    @Test
    void twoRightsOfAProcessGetNumbersAgainAfterAPause() throws Exception {
        LeaseClient client = client();
        Right one = worker(0, 1023);
        Right other = worker(0, 255);
        client.step(List.of(one), false);
        client.step(List.of(other), false);
        pass(WINDOW);
        LeaseClient second = client();
        second.step(List.of(worker(0, 0)), false);
        second.step(List.of(worker(1, 1)), false);

        String last = "";
        for (int i = 0; i < 200; i++) {
            pass(WINDOW / 2);
            try {
                client.step(List.of(one, other), false);
                last = "";
            } catch (IllegalArgumentException e) {
                last = e.toString();
            }
        }
        assertThat(last).isEmpty();
    }

    @Test
    void aRightWithoutANumberDoesNotEndAnother() throws Exception {
        LeaseClient client = client();
        Right fine = worker(1, 1);
        Right without = worker(0, 0);
        client.step(List.of(fine), false);
        client.step(List.of(without), false);
        // The other process was started as a replacement while this one did not reach the store.
        pass(WINDOW);
        client.step(List.of(fine), false);
        LeaseClient second = client();
        Right replacement = worker(0, 0);
        second.step(List.of(replacement), false);
        List<String> said = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            pass(WINDOW / 4);
            second.step(List.of(replacement), false);
            try {
                client.step(List.of(fine, without), false);
            } catch (IdUnavailableException e) {
                said.add(e.getMessage());
            }
        }
        assertThat(held(fine).bound()).as("%s", said).isGreaterThan(local);
    }

    @Test
    void whoeverBeganWithTheOldLayoutGetsNothingAfterItWasChanged() throws Exception {
        LeaseClient forgotten = client();
        Row recorded = forgotten.layout("photos", Fields.NONE.with("layout", "old"));
        assertThat(recorded.text().get("layout")).contains("old");
        Right right = worker(0, 9);
        forgotten.step(List.of(right), false);
        pass(WINDOW + 2 * SKEW);

        operator()
                .change(
                        "photos",
                        (header, before, unused, time) ->
                                new StoreOperator.Changed(before.with("layout", "new"), time - header.skew()));
        LeaseClient next = client();
        assertThat(next.layout("photos", Fields.NONE).text().get("layout")).contains("new");
        next.step(List.of(worker(0, 9)), false);

        assertThatThrownBy(() -> forgotten.step(List.of(right), false))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageEndingWith(
                        "The layout of a sequence was changed while this process ran: memory. The process started with"
                                + " the old layout, and gets no more leases. Restart it with the new settings"
                                + Pages.onCall("store-other-layout"));
    }

    @Test
    void anEmptiedStoreIsNotBegunWithAWindowThatNobodyNamed() throws Exception {
        operator().init(new StoreHeader.Terms(20 * WINDOW, SKEW), true);
        LeaseClient running = client();
        Right owner = worker(0, 9);
        running.step(List.of(owner), false);

        rows.clear();
        assertThatThrownBy(() -> operator().init(TERMS, false))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("The store of leases was emptied, and no longer knows how long its windows were: memory."
                        + " Set distributedid.snowflake.lease.window to the longest one that it ever had; 60s if none"
                        + " was set");
        long opens = operator().init(new StoreHeader.Terms(20 * WINDOW, SKEW), true);
        pass(opens - atStore);
        // It goes on in its window: it finds another store.
        assertThatThrownBy(() -> running.step(List.of(owner), true)).hasMessageContaining("not the same as before");
        Right next = worker(0, 9);
        client().step(List.of(next), false);

        assertThat(held(next).row().name()).isEqualTo(held(owner).row().name());
        assertThat(held(next).from()).isGreaterThanOrEqualTo(held(owner).bound());
    }

    @Test
    void aStoreKeepsItsWindowIfNobodyNamesAnother() throws Exception {
        operator().init(new StoreHeader.Terms(20 * WINDOW, SKEW), true);

        assertThat(operator().init(TERMS, false)).isZero();
        assertThat(header().window()).isEqualTo(20 * WINDOW);
    }

    @Test
    void aCommandGoesOnOnceALossIsOver() throws Exception {
        client().step(List.of(worker(0, 9)), false);
        rows.clear();
        long opens = operator().init(TERMS, true);
        pass(opens - atStore + 1);

        operator().init(new StoreHeader.Terms(2 * WINDOW, SKEW), true);
    }

    @Test
    void aLossIsNotEndedByAWrongClockOfTheStore() throws Exception {
        LeaseClient client = client();
        Right right = worker(0, 0);
        client.step(List.of(right), false);
        LeaseClient owner = client();
        Right lost = worker(1, 1);
        owner.step(List.of(lost), false);
        rows.remove("@worker/1");
        assertThatThrownBy(() -> client().step(List.of(worker(1, 1)), false)).hasMessageContaining("lost leases");

        atStore += OVER + 1;
        assertThatThrownBy(() -> client().step(List.of(worker(1, 1)), false)).hasMessageContaining("clock");
        atStore -= OVER + 1;

        // The owner has not looked: its window lasts.
        assertThatThrownBy(() -> client().step(List.of(worker(1, 1)), false)).hasMessageContaining("lost leases");
    }

    @Test
    void aLossIsNotToldByAWrongClockOfTheStore() throws Exception {
        LeaseClient owner = client();
        Right lost = worker(1, 1);
        owner.step(List.of(lost), false);
        LeaseClient finder = client();
        Right found = worker(0, 0);
        finder.step(List.of(found), false);
        rows.remove("@worker/0");
        rows.remove("@worker/1");
        atStore -= 10 * OVER;
        assertThatThrownBy(() -> finder.step(List.of(found), true)).hasMessageContaining("clock");
        assertThat(found.current()).as("others may have its row").isNull();
        atStore += 10 * OVER;

        assertThatThrownBy(() -> client().step(List.of(worker(1, 1)), false)).hasMessageContaining("lost leases");
        pass(OVER);
        Right next = worker(1, 1);
        client().step(List.of(next), false);
        assertThat(held(next).from()).isGreaterThanOrEqualTo(held(lost).bound());
    }

    @Test
    void aCommandThatWasCutOffGoesOnOnceALossIsOver() throws Exception {
        LeaseClient finder = client();
        Right right = worker(0, 9);
        finder.step(List.of(right), false);
        ledger.write(List.of(header().in(Row.State.CLOSED).by("cut off", "").change("closed")));
        rows.remove("@worker/0");
        pass(WINDOW / 2);
        assertThatThrownBy(() -> finder.step(List.of(right), false)).isInstanceOf(IdUnavailableException.class);
        for (int i = 0; i < 100; i++) {
            pass(OVER);
            String said = "";
            try {
                finder.step(List.of(right), false);
            } catch (IdUnavailableException e) {
                said = e.getMessage();
            }
            assertThat(said)
                    .isIn(
                            "",
                            "A command has closed the store of leases, and has not ended yet: memory. If the command"
                                    + " was cut off, run it again, or open the store: distributedid repair SEQ"
                                    + Pages.onCall("store-closed"));
        }

        operator().init(new StoreHeader.Terms(2 * WINDOW, SKEW), true);
    }

    @Test
    void whoeverRunsOnAfterInitIsToldWhatToDo() throws Exception {
        LeaseClient running = client();
        Right right = worker(0, 9);
        running.step(List.of(right), false);
        rows.clear();
        long opens = operator().init(TERMS, true);
        pass(opens - atStore + 10 * OVER);
        client().step(List.of(worker(5, 9)), false);

        assertThatThrownBy(() -> running.step(List.of(right), false)).hasMessageContainingAll("estart");
    }

    @Test
    void twoRightsOfAProcessGetNumbersAgainAfterACommand() throws Exception {
        LeaseClient client = client();
        Right one = worker(0, 1023);
        Right other = worker(0, 255);
        client.step(List.of(one), false);
        client.step(List.of(other), false);
        store.failure = "no route to host";
        for (int i = 0; i < 10; i++) {
            pass(WINDOW / 2);
            assertThatThrownBy(() -> client.step(List.of(one, other), false)).isInstanceOf(SQLException.class);
        }
        store.failure = "";
        operator().init(new StoreHeader.Terms(2 * WINDOW, SKEW), true);
        for (int i = 0; i < 200; i++) {
            pass(WINDOW / 2);
            try {
                client.step(List.of(one, other), false);
            } catch (IllegalArgumentException e) {
                // As the runner does: try again.
            }
        }
        assertThat(held(one).bound()).as("100 windows later").isGreaterThan(local);
    }
}
