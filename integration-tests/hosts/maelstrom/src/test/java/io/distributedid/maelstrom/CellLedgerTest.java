package io.distributedid.maelstrom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Ledger;
import io.distributedid.internal.ledger.Row;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What becomes of a ledger when messages are lost or come twice. */
class CellLedgerTest {

    private static final String ROW = "@worker/7";

    private final LocalService linKv = new LocalService(new LinKv()::answer);

    private final CellLedger ledger = ledger(linKv, "lin-kv");

    private static CellLedger ledger(LocalService service, String name) {
        return new CellLedger(
                new ServiceCell(service.peers("n0"), name, "workers", name.equals("lww-kv")), InstantSource.system());
    }

    private static Change created(String name) {
        return Change.create(name, random(), 1_000, Row.State.NONE, Fields.NONE.with("owner", "app-1 pid 17"));
    }

    private static Change changed(Row read, long until) {
        return Change.replace(read, random(), until, read.state(), read.text());
    }

    private static String random() {
        return UUID.randomUUID().toString();
    }

    @Test
    void aLedgerThatWasNeverUsedSaysSo() throws Exception {
        Row header = ledger.read(List.of(Ledger.STORE)).row(Ledger.STORE);

        assertThat(header.state()).isEqualTo(Row.State.NEW);
        assertThat(ledger.read(List.of(Ledger.STORE)).row(Ledger.STORE)).isEqualTo(header);
    }

    @Test
    void aChangeWhoseRequestCameTwiceIsDone() throws Exception {
        Change first = created(ROW);
        Change second = changed(first.next(), 2_000);
        ledger.write(List.of(first));
        linKv.doubles();

        assertThat(ledger.write(List.of(second))).containsExactly(ROW);
        assertThat(ledger.write(List.of(changed(first.next(), 3_000)))).isEmpty();
        assertThat(ledger.read(List.of(ROW)).row(ROW)).isEqualTo(second.next());
    }

    @Test
    void aChangeWhoseAnswerIsLostIsAnErrorAndMayBeDone() throws Exception {
        Change change = created(ROW);
        linKv.losesAnswersTo("cas");

        assertThatThrownBy(() -> ledger.write(List.of(change)))
                .isInstanceOf(SQLException.class)
                .hasMessage("lin-kv has not answered cas in 100 ms");
        assertThat(ledger.read(List.of(ROW)).row(ROW)).isEqualTo(change.next());
    }

    @Test
    void anErrorOfTheServiceIsAFailureOfTheLedger() {
        LocalService broken = new LocalService(message -> message.refusal(Errors.TEMPORARILY_UNAVAILABLE, "no quorum"));

        assertThatThrownBy(() -> ledger(broken, "lin-kv").read(List.of(ROW)))
                .isInstanceOf(SQLException.class)
                .hasMessageStartingWith("lin-kv key=workers answered ")
                .hasMessageContaining("no quorum");
    }

    @Test
    void aCellOfLinKvIsCreatedByOneCompareAndSet() throws Exception {
        Cell one = new ServiceCell(linKv.peers("n0"), "lin-kv", "other", false);
        Cell other = new ServiceCell(linKv.peers("n1"), "lin-kv", "other", false);

        assertThat(one.read()).isEmpty();
        assertThat(one.compareAndSet(Optional.empty(), "one")).isTrue();
        assertThat(other.compareAndSet(Optional.empty(), "other")).isFalse();
        assertThat(other.read()).contains("one");
    }

    @Test
    void ofTwoWhoCreateOneRowOverLwwKvBothMaySucceed() throws Exception {
        LocalService lwwKv = new LocalService(LwwKv.byChance(new Random(1))::answer);
        int both = 0;
        for (int i = 0; i < 100; i++) {
            boolean one = !ledger(lwwKv, "lww-kv")
                    .write(List.of(created("@worker/" + i)))
                    .isEmpty();
            boolean other = !ledger(lwwKv, "lww-kv")
                    .write(List.of(created("@worker/" + i)))
                    .isEmpty();
            both += one && other ? 1 : 0;
        }

        assertThat(both).isPositive();
    }

    /** Answers to a process that was killed may arrive at the next one of the same name. */
    @Test
    void anAnswerToAnotherProcessOfTheSameNameIsIgnored() throws Exception {
        CompletableFuture<Long> first = new CompletableFuture<>();
        Peers killed = new Peers("n0", message -> first.complete(message.number("msg_id")), Duration.ofMillis(1));
        assertThatThrownBy(() -> killed.ask("lin-kv", "read", Map.of("key", "workers")))
                .hasMessage("lin-kv has not answered read in 1 ms");
        CompletableFuture<Long> second = new CompletableFuture<>();
        Peers next = new Peers("n0", message -> second.complete(message.number("msg_id")), Duration.ofMillis(1));
        assertThatThrownBy(() -> next.ask("lin-kv", "read", Map.of("key", "workers")))
                .hasMessageContaining("has not answered");

        assertThat(second.join()).isNotEqualTo(first.join());
    }
}
