package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Ledger;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Row.State;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a ledger of any kind promises. Each test has rows of its own. */
public abstract class LedgerContract {

    private static final int CLIENTS = 6;

    private static final int ROUNDS = 200;

    private static final AtomicInteger NAMES = new AtomicInteger();

    /** Another client of the same store, for one thread. */
    protected abstract Ledger client() throws SQLException;

    /** Deletes a row, as nobody but a fault or an operator does. */
    protected abstract void delete(String name) throws SQLException;

    /** Whether rows are stored as texts, which another version of the library may have written. */
    protected boolean hasTexts() {
        return true;
    }

    /** A name that no other test uses. */
    protected static String name() {
        return "sequence/photos" + NAMES.incrementAndGet();
    }

    protected static String token() {
        return UUID.randomUUID().toString();
    }

    protected static Change created(String name, long number) {
        return Change.create(name, token(), number, State.OPEN, Fields.NONE);
    }

    protected static Change changed(Row read, long number) {
        return Change.replace(read, token(), number, State.OPEN, read.text());
    }

    /** Creates a row, and returns it as it was read. */
    protected static Row row(Ledger ledger, String name, long number) throws SQLException {
        assertThat(ledger.write(List.of(created(name, number)))).containsExactly(name);
        return read(ledger, name);
    }

    protected static Row read(Ledger ledger, String name) throws SQLException {
        Page page = ledger.read(List.of(name));
        assertThat(page.rows()).containsOnlyKeys(name);
        return page.rows().get(name);
    }

    @Test
    void aRowIsReadAsItWasWritten() throws SQLException {
        Ledger ledger = client();
        Fields text = Fields.NONE
                .with("token", "7f3a")
                .with("owner", "höst 17 % = 3\t-")
                .with("empty", "");
        Change change = Change.create(name(), token(), Long.MAX_VALUE, State.MOVED, text);

        assertThat(ledger.write(List.of(change))).containsExactly(change.name());

        assertThat(read(ledger, change.name())).isEqualTo(change.next());
        assertThat(ledger.read(List.of()).rows()).isEmpty();
        assertThat(ledger.write(List.of())).isEmpty();
    }

    @Test
    void aRowMayHaveNeitherStateNorText() throws SQLException {
        Ledger ledger = client();
        Change change = Change.create(name(), token(), -1, State.NONE, Fields.NONE);

        assertThat(ledger.write(List.of(change))).containsExactly(change.name());

        assertThat(read(ledger, change.name())).isEqualTo(change.next());
    }

    @Test
    void theTimeIsThatOfTheStoreInUtc() throws SQLException {
        long before = System.currentTimeMillis();

        long time = client().read(List.of(name())).time();

        // Servers round; and their clock is this machine's.
        assertThat(time).isBetween(before - 30_000, System.currentTimeMillis() + 30_000);
    }

    @Test
    void theTimeOfTheStoreMoves() throws SQLException {
        Ledger ledger = client();
        long time = ledger.read(List.of()).time();

        Await.until("the time is later", () -> ledger.read(List.of()).time() > time);
    }

    @Test
    void aSynchronisedReadShowsWhatAnotherClientWasAnswered() throws SQLException {
        Ledger ledger = client();
        Ledger other = client();
        Row row = row(ledger, name(), 0);
        for (int i = 1; i <= 20; i++) {
            Change change = changed(row, i);
            assertThat(ledger.write(List.of(change))).hasSize(1);
            row = change.next();

            assertThat(other.read(List.of(row.name()), true).rows().values()).containsExactly(row);
        }
    }

    @Test
    void ofTwoClientsAtOnceOneWinsEachRound() throws Exception {
        Ledger look = client();
        AtomicReference<Row> current = new AtomicReference<>(row(look, name(), 0));
        CyclicBarrier round = new CyclicBarrier(2, () -> current.set(reread(look, current.get())));

        List<List<Change>> won = Together.run(2, number -> {
            Ledger ledger = client();
            List<Change> mine = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                round.await();
                Change change = changed(current.get(), i);
                if (!ledger.write(List.of(change)).isEmpty()) {
                    mine.add(change);
                }
            }
            return mine;
        });

        assertThat(won.stream().flatMap(List::stream))
                .extracting(change -> change.next().version().count())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(2, 2 + ROUNDS).boxed().toList());
        assertThat(read(look, current.get().name()).version().count()).isEqualTo(1 + ROUNDS);
    }

    private static Row reread(Ledger ledger, Row row) {
        try {
            return read(ledger, row.name());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A call may end without an answer; the change is done at the latest when it is sent again. */
    @Test
    void anInterruptMakesNoChangeDoneThatIsNot() throws SQLException {
        Ledger first = client();
        Row row = row(first, name(), 1);
        Change change = changed(row, 2);

        Thread.currentThread().interrupt();
        Set<String> done;
        try {
            done = first.write(List.of(change));
        } catch (SQLException e) {
            done = Set.of();
        }

        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        Ledger second = client();
        assertThat(read(second, row.name()).version())
                .isIn(row.version(), change.next().version());
        if (!done.isEmpty()) {
            assertThat(read(second, row.name())).isEqualTo(change.next());
        }
        assertThat(second.write(List.of(change))).containsExactly(row.name());
        assertThat(read(second, row.name())).isEqualTo(change.next());
    }

    @Test
    void aRowOfALaterFormatIsRefused() throws SQLException {
        Ledger ledger = client();
        Fields later = Fields.NONE.with("token", "7f3a").with(Fields.FORMAT, 2);
        String name = name();
        Set<String> unused = ledger.write(List.of(Change.create(name, token(), 1, State.OPEN, later)));

        if (hasTexts()) {
            assertThatThrownBy(() -> ledger.read(List.of(name)))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("A row of the ledger has an unknown text: row=" + name
                            + " text=token=7f3a format=2, allowed: format=1. Use the version of this library");
        }
    }

    @Test
    void aRowIsCreatedOnceByMany() throws Exception {
        List<String> names = IntStream.range(0, 20).mapToObj(i -> name()).toList();

        List<Set<String>> done = Together.run(CLIENTS, client -> {
            Ledger ledger = client();
            return ledger.write(
                    names.stream().map(name -> created(name, client)).toList());
        });

        assertThat(done.stream().flatMap(Set::stream).toList()).containsExactlyInAnyOrderElementsOf(names);
        assertThat(client().read(names).rows()).containsOnlyKeys(names);
    }

    @Test
    void ofManyClientsOneMakesAChange() throws Exception {
        List<String> names = List.of(name(), name(), name());
        Ledger first = client();
        assertThat(first.write(names.stream().map(name -> created(name, 0)).toList()))
                .hasSize(3);

        List<List<String>> done = Together.run(CLIENTS, client -> races(client(), names));

        List<String> all = done.stream().flatMap(List::stream).toList();
        assertThat(all).isNotEmpty().doesNotHaveDuplicates();
        for (Row row : first.read(names).rows().values()) {
            long changes = all.stream()
                    .filter(each -> each.startsWith(row.name() + " "))
                    .count();
            assertThat(row.version().count()).as(row.name()).isEqualTo(1 + changes);
        }
    }

    /** Rows with the counts of the versions that this client has won. */
    protected static List<String> races(Ledger ledger, List<String> names) throws SQLException {
        List<String> won = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            List<Change> changes = ledger.read(names).rows().values().stream()
                    .map(row -> changed(row, 0))
                    .toList();
            Set<String> done = ledger.write(changes);
            changes.stream()
                    .filter(change -> done.contains(change.name()))
                    .forEach(change -> won.add(
                            change.name() + " " + change.next().version().count()));
        }
        return won;
    }

    @Test
    void ofManyChangesEachIsMadeByItself() throws SQLException {
        Ledger ledger = client();
        List<String> names = IntStream.range(0, 2_300).mapToObj(i -> name()).toList();
        List<Change> created = names.stream().map(name -> created(name, 5)).toList();
        assertThat(ledger.write(created)).hasSameSizeAs(names);
        List<Row> rows = List.copyOf(ledger.read(names).rows().values());
        assertThat(rows).hasSameSizeAs(names);
        Row other = rows.get(7);
        assertThat(ledger.write(List.of(changed(other, 6)))).hasSize(1);
        delete(rows.get(8).name());

        List<Change> all =
                new ArrayList<>(rows.stream().map(row -> changed(row, 7)).toList());
        all.add(created(rows.get(9).name() + "@2", 1));
        Set<String> done = ledger.write(all);

        Set<String> expected = new HashSet<>(names);
        expected.removeAll(List.of(other.name(), rows.get(8).name()));
        expected.add(rows.get(9).name() + "@2");
        assertThat(done).isEqualTo(expected);
        assertThat(ledger.read(names).rows().values())
                .hasSize(names.size() - 1)
                .allMatch(row -> row.number() == (row.name().equals(other.name()) ? 6 : 7));
    }

    @Test
    void aChangeThatIsSentAgainIsDoneUntilTheNext() throws SQLException {
        Ledger ledger = client();
        Change created = created(name(), 1);
        assertThat(ledger.write(List.of(created))).hasSize(1);
        assertThat(ledger.write(List.of(created))).hasSize(1);
        Change changed = changed(created.next(), 2);
        assertThat(ledger.write(List.of(changed))).hasSize(1);
        assertThat(ledger.write(List.of(changed))).hasSize(1);

        assertThat(ledger.write(List.of(created))).isEmpty();
        assertThat(ledger.write(List.of(changed(changed.next(), 3)))).hasSize(1);
        assertThat(ledger.write(List.of(changed))).isEmpty();

        assertThat(read(ledger, created.name()).version().count()).isEqualTo(3);
    }

    @Test
    void theNumberFallsOnlyWhereTheChangeSaysSo() throws SQLException {
        Ledger ledger = client();
        Row row = row(ledger, name(), 150);

        assertThat(ledger.write(List.of(changed(row, 100)))).hasSize(1);
        Row kept = read(ledger, row.name());
        assertThat(kept.number()).isEqualTo(150);

        assertThat(ledger.write(List.of(Change.lower(kept, token(), 100, State.OPEN, Fields.NONE))))
                .hasSize(1);
        assertThat(read(ledger, row.name()).number()).isEqualTo(100);
    }

    @Test
    void aChangeDoesNotBringADeletedRowBack() throws SQLException {
        Ledger ledger = client();
        Row row = row(ledger, name(), 1);
        delete(row.name());

        assertThat(ledger.write(List.of(changed(row, 2)))).isEmpty();

        assertThat(ledger.read(List.of(row.name())).rows()).isEmpty();
    }

    @Test
    void aVersionOfAnotherHistoryIsNotTheExpectedOne() throws SQLException {
        Ledger ledger = client();
        Row row = row(ledger, name(), 1);
        delete(row.name());
        Row again = row(ledger, row.name(), 1);

        assertThat(again.version().count()).isEqualTo(row.version().count());
        assertThat(ledger.write(List.of(changed(row, 2)))).isEmpty();
        assertThat(read(ledger, row.name())).isEqualTo(again);
    }

    @Test
    void namesThatDifferInCaseAreTwoRows() throws SQLException {
        Ledger ledger = client();
        Row small = row(ledger, name(), 1);
        Row large = row(ledger, small.name().replace("photos", "Photos"), 2);

        assertThat(ledger.write(List.of(changed(large, 3)))).containsExactly(large.name());

        assertThat(read(ledger, small.name())).isEqualTo(small);
        assertThat(read(ledger, large.name()).number()).isEqualTo(3);
    }

    @Test
    void twoChangesOfOneRowAreRefused() throws SQLException {
        Ledger ledger = client();
        String name = name();

        assertThatThrownBy(() -> ledger.write(List.of(created(name, 1), created(name, 2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A list holds one change of a row: row=" + name);
        assertThat(ledger.read(List.of(name)).rows()).isEmpty();
    }
}
