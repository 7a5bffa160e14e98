package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterRow;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.Header;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Seen;
import io.distributedid.internal.counter.Write;
import io.distributedid.internal.counter.Write.ToHeader;
import io.distributedid.internal.counter.Write.ToNote;
import io.distributedid.internal.counter.Write.ToRow;
import io.distributedid.internal.ledger.Version;
import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a session on a server of counters of any kind does. Each test has a table of its own. */
public abstract class CounterSessionContract {

    protected static final Numbering LONE = new Numbering(1, 1);

    protected static final Numbering SECOND = new Numbering(2, 2);

    private static final AtomicInteger TABLES = new AtomicInteger();

    protected static final long FAR = 1_000_000;

    /** Of this test, for its tables. */
    protected final String table = "counters" + TABLES.incrementAndGet();

    /** Another session on the same server, which creates missing tables. */
    protected abstract CounterSession session(Numbering numbering) throws SQLException;

    /** Sets a counter, as an operator or a fault does. It is created if it is missing. */
    protected abstract void set(CounterKey counter, long last) throws SQLException;

    /** Deletes a counter, and leaves its row of the ledger. */
    protected abstract void delete(CounterKey counter) throws SQLException;

    protected CounterKey counter(String name) {
        return new CounterKey(table, name, name);
    }

    protected static String token() {
        return UUID.randomUUID().toString();
    }

    protected static Seen look(CounterSession session, CounterKey counter) throws SQLException {
        return session.look(List.of(counter), true).get(counter);
    }

    protected static CounterRow row(Version version, long number) {
        return new CounterRow(version, false, number, "server of the test", 1, "");
    }

    protected static boolean isMade(CounterSession session, Write write) throws SQLException {
        return session.write(List.of(write)).contains(write);
    }

    protected static Write create(CounterKey counter, long above, Map<Long, Long> notes) {
        return to(counter, null, row(Version.first(token()), above), OptionalLong.of(above), notes);
    }

    protected static Write to(
            CounterKey counter, Version expected, CounterRow row, OptionalLong above, Map<Long, Long> notes) {
        return new Write(0, expected, new ToRow(counter, false, row, above, notes, false));
    }

    /** Creates a counter that gives the ids above a number. */
    protected static CounterRow created(CounterSession session, CounterKey counter, long above) throws SQLException {
        assertThat(look(session, counter).row()).isNull();
        assertThat(isMade(session, create(counter, above, Map.of()))).isTrue();
        return look(session, counter).row();
    }

    protected static Draw draw(CounterKey counter, long wanted, Version version) {
        return draw(counter, wanted, version, 0, Map.of());
    }

    private static Draw draw(CounterKey counter, long wanted, Version version, long known, Map<Long, Long> notes) {
        return new Draw(counter, wanted, version, known, FAR, notes);
    }

    protected static Drawn drawn(CounterSession session, Draw draw) throws SQLException {
        return session.draw(List.of(draw)).get(draw.counter());
    }

    private static Header header(Version version, Header.State state, String command) {
        return new Header(
                version,
                state,
                "7f3a",
                SECOND,
                List.of("server_uuid 1 schema app", "server_uuid 2 schema app"),
                3,
                command,
                command.isEmpty() ? "" : "jdbc:mysql://db9/app",
                command.isEmpty() ? "" : "9b2e");
    }

    @Test
    void nothingIsThereBeforeTheFirstUse() throws SQLException {
        Seen seen = look(session(SECOND), counter("photos"));

        assertThat(seen.header()).isNull();
        assertThat(seen.row()).isNull();
        assertThat(seen.notes()).isEmpty();
        assertThat(seen.counter()).isEmpty();
        assertThat(seen.numbering()).isEqualTo(SECOND);
        assertThat(seen.identity()).isNotEmpty();
        assertThat(session(SECOND).whyReadOnly()).isEmpty();
    }

    @Test
    void oneOfTwoCreatesAHeader() throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey counter = counter("photos");
        Seen before = look(session, counter);
        Write first = toHeader(counter, null, header(Version.first(token()), Header.State.NEW, ""));

        assertThat(isMade(session, first)).isTrue();
        assertThat(isMade(
                        session(SECOND), toHeader(counter, null, header(Version.first(token()), Header.State.NEW, ""))))
                .isFalse();
        assertThat(isMade(session, first)).as("sent twice").isTrue();

        Seen after = look(session, counter);
        assertThat(after.header()).isEqualTo(((ToHeader) first.change()).header());
        assertThat(before.header()).isNull();
        assertThat(after.row()).isNull();
    }

    private static Write toHeader(CounterKey counter, Version expected, Header header) {
        return new Write(0, expected, new ToHeader(counter, header));
    }

    @ParameterizedTest
    @EnumSource(Header.State.class)
    void aHeaderIsReplacedUnderItsVersionOnly(Header.State state) throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey counter = counter("photos");
        look(session, counter);
        Version version = Version.first(token());
        assertThat(isMade(session, toHeader(counter, null, header(version, Header.State.NEW, ""))))
                .isTrue();
        // A change after a loss skips versions that may have been lost.
        Header next = header(new Version(version.count() + 5, "b7c0"), state, state.name());

        assertThat(isMade(session, toHeader(counter, Version.first(token()), next)))
                .isFalse();
        assertThat(look(session, counter).header().version()).isEqualTo(version);
        assertThat(isMade(session, toHeader(counter, version, next))).isTrue();

        assertThat(look(session, counter).header()).isEqualTo(next);
        CounterKey ofTable = new CounterKey(counter.table(), "users", "users");
        assertThat(look(session, ofTable).header()).isEqualTo(next);
    }

    @Test
    void aRowIsCreatedWithItsCounterAndItsNotes() throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey counter = counter("photos");
        look(session, counter);
        Write create = create(counter, 99, Map.of(1L, Seen.NOT_CREATED));

        assertThat(isMade(session, create)).isTrue();
        Seen seen = look(session, counter);
        assertThat(seen.row()).isEqualTo(((ToRow) create.change()).row());
        assertThat(seen.counter()).hasValue(98);
        assertThat(seen.notes()).isEqualTo(Map.of(1L, Seen.NOT_CREATED));

        assertThat(isMade(session, create(counter, 500, Map.of(1L, 0L)))).isFalse();
        assertThat(isMade(session, create)).as("sent twice").isTrue();
        assertThat(look(session, counter)).isEqualTo(seen);
    }

    @Test
    void aRowIsWrittenBesideACounterThatIsThere() throws SQLException {
        CounterSession session = session(LONE);
        CounterKey stays = counter("photos");
        CounterKey isAbove = counter("users");
        CounterKey isBelow = counter("videos");
        CounterKey missing = counter("zones");
        session.look(List.of(stays, isAbove, isBelow, missing), true);
        for (CounterKey each : List.of(stays, isAbove, isBelow)) {
            set(each, 57);
        }
        CounterRow row = row(Version.first(token()), 57);

        assertThat(isMade(session, to(stays, null, row, OptionalLong.empty(), Map.of())))
                .isTrue();
        assertThat(isMade(session, to(isAbove, null, row, OptionalLong.of(40), Map.of())))
                .isTrue();
        assertThat(isMade(session, to(isBelow, null, row, OptionalLong.of(80), Map.of())))
                .isTrue();
        assertThat(isMade(session, to(missing, null, row, OptionalLong.empty(), Map.of())))
                .isTrue();

        assertThat(look(session, stays).counter()).hasValue(57);
        assertThat(look(session, isAbove).counter()).hasValue(57);
        assertThat(look(session, isBelow).counter()).hasValue(80);
        assertThat(look(session, missing).counter()).isEmpty();
        assertThat(look(session, missing).row()).isEqualTo(row);
    }

    @Test
    void aRaisedCounterHasTheRemainderOfItsServer() throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey ahead = counter("photos");
        CounterKey behind = counter("users");
        session.look(List.of(ahead, behind), true);
        set(ahead, 151);
        set(behind, 51);

        assertThat(isMade(session, create(ahead, 100, Map.of()))).isTrue();
        assertThat(isMade(session, create(behind, 100, Map.of()))).isTrue();

        assertThat(look(session, ahead).counter()).hasValue(152);
        assertThat(look(session, behind).counter()).hasValue(100);
        assertThat(drawn(session, draw(behind, 1, look(session, behind).row().version()))
                        .block())
                .isEqualTo(new Block(102, 2, 1));
    }

    @Test
    void aCounterThatWasRaisedAboveANumberOfAnotherServerIsDrawnFrom() throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey counter = counter("photos");
        CounterRow row = created(session, counter, 101);

        Block block = drawn(session, draw(counter, 3, row.version())).block();

        assertThat(block).isNotNull();
        assertThat(block.first()).isGreaterThan(101).matches(id -> id % 2 == 0);
    }

    @Test
    void aDrawGivesTheNextIdsAndWritesTheLast() throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey counter = counter("photos");
        CounterRow row = created(session, counter, 100);

        assertThat(drawn(session, draw(counter, 1, row.version()))).isEqualTo(Drawn.of(new Block(102, 2, 1)));
        assertThat(drawn(session(SECOND), draw(counter, 10, row.version(), 102, Map.of())))
                .isEqualTo(Drawn.of(new Block(104, 2, 10)));

        Seen seen = look(session, counter);
        assertThat(seen.counter()).hasValue(122);
        assertThat(seen.row()).isEqualTo(row(row.version(), 122));
    }

    @Test
    void whatOthersHaveDrawnBesideIsPassedOver() throws SQLException {
        CounterSession session = session(LONE);
        CounterKey counter = counter("photos");
        CounterRow row = created(session, counter, 100);
        set(counter, 150);

        assertThat(drawn(session, draw(counter, 10, row.version())).block()).isEqualTo(new Block(151, 1, 10));
    }

    /** Why a draw is refused. */
    protected enum Reason {
        OTHER_VERSION,
        CLOSED,
        LOST,
        BELOW_THE_LEDGER,
        BELOW_WHAT_IS_KNOWN,
        TOO_FAR,
        ENDS_TOO_FAR,
        OTHER_REMAINDER,
        NO_ROW,
        NO_COUNTER
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    void aRefusedDrawChangesNothing(Reason reason) throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey photos = counter("photos");
        CounterKey tags = counter("tags");
        CounterKey users = counter("users");
        CounterRow row = created(session, photos, 100);
        created(session, users, 100);
        if (reason != Reason.NO_ROW) {
            created(session, tags, 100);
        }
        Draw draw = refused(session, tags, reason);
        List<Draw> many = List.of(
                draw(photos, 5, row.version()),
                draw,
                draw(users, 7, look(session, users).row().version()));
        Seen before = look(session, tags);

        assertThat(drawn(session, draw)).isEqualTo(Drawn.REFUSED);
        assertThat(look(session, tags)).isEqualTo(before);

        assertThat(session.draw(many))
                .isEqualTo(Map.of(
                        photos,
                        Drawn.of(new Block(102, 2, 5)),
                        tags,
                        Drawn.REFUSED,
                        users,
                        Drawn.of(new Block(102, 2, 7))));
        assertThat(look(session, tags)).isEqualTo(before);
        assertThat(look(session, users).row().number()).isEqualTo(114);
    }

    protected final Draw refused(CounterSession session, CounterKey counter, Reason reason) throws SQLException {
        CounterRow row = look(session, counter).row();
        Version version = row == null ? Version.first(token()) : row.version();
        switch (reason) {
            case CLOSED, LOST -> {
                CounterRow next = new CounterRow(
                        version.next(token()),
                        reason == Reason.LOST,
                        100,
                        "here",
                        1,
                        reason == Reason.LOST ? "" : "51");
                assertThat(isMade(session, to(counter, version, next, OptionalLong.empty(), Map.of())))
                        .isTrue();
                return draw(counter, 3, next.version());
            }
            case BELOW_THE_LEDGER -> set(counter, 98);
            case TOO_FAR -> set(counter, FAR + 2);
            case OTHER_REMAINDER -> set(counter, 103);
            case NO_ROW -> set(counter, 100);
            case NO_COUNTER -> delete(counter);
            default -> {}
        }
        return switch (reason) {
            case OTHER_VERSION -> draw(counter, 3, new Version(version.count(), "f00d"));
            case BELOW_WHAT_IS_KNOWN -> draw(counter, 3, version, 102, Map.of(1L, 5L));
            case ENDS_TOO_FAR -> new Draw(counter, 3, version, 0, 104, Map.of(1L, 5L));
            default -> draw(counter, 3, version, 0, Map.of(1L, 5L));
        };
    }

    @Test
    void aCounterAtItsEndIsExhausted() throws SQLException {
        CounterSession session = session(LONE);
        CounterKey photos = counter("photos");
        CounterKey users = counter("users");
        CounterRow row = created(session, photos, 0);
        CounterRow other = created(session, users, 0);
        long end = look(session, photos).largest();
        set(photos, end - 5);
        Draw tooMany = new Draw(photos, 6, row.version(), 0, Long.MAX_VALUE, Map.of());

        assertThat(drawn(session, tooMany)).isEqualTo(Drawn.of(new Block(end - 4, 1, 5)));
        Seen before = look(session, photos);
        assertThat(before.row().number()).isEqualTo(end);
        assertThat(drawn(session, tooMany)).isEqualTo(Drawn.EXHAUSTED);
        assertThat(session.draw(List.of(tooMany, draw(users, 1, other.version()))))
                .isEqualTo(Map.of(photos, Drawn.EXHAUSTED, users, Drawn.of(new Block(1, 1, 1))));
        assertThat(look(session, photos)).isEqualTo(before);
        assertThat(drawn(session, draw(users, Long.MAX_VALUE, other.version()))).isEqualTo(Drawn.REFUSED);
    }

    @Test
    protected void aNewCounterHasTheRemainderOfItsServer() throws SQLException {
        for (long offset : List.of(1L, 2L)) {
            CounterSession session = session(new Numbering(2, offset));
            CounterKey counter = counter("photos" + offset);
            CounterRow row = created(session, counter, 0);

            // Whoever adds the increment by a plain UPDATE gets an id of this server too.
            long last = look(session, counter).counter().orElseThrow();
            assertThat(last % 2).isEqualTo(offset % 2);
            assertThat(drawn(session, draw(counter, 1, row.version())).block().first())
                    .isEqualTo(last + 2);
        }
    }

    @Test
    void aNumberNeverFalls() throws SQLException {
        CounterSession session = session(LONE);
        CounterKey counter = counter("photos");
        CounterRow row = created(session, counter, 100);
        assertThat(drawn(session, draw(counter, 50, row.version())).block().last())
                .isEqualTo(150);
        Version next = row.version().next(token());

        CounterRow closed = new CounterRow(next, false, 100, "another", 2, "51c0");
        assertThat(isMade(session, to(counter, row.version(), closed, OptionalLong.of(120), Map.of())))
                .isTrue();

        Seen seen = look(session, counter);
        assertThat(seen.row()).isEqualTo(new CounterRow(next, false, 150, "another", 2, "51c0"));
        assertThat(seen.counter()).hasValue(150);
        assertThat(drawn(session, draw(counter, 1, row.version()))).isEqualTo(Drawn.REFUSED);
    }

    @Test
    void theVersionAndTheMarkAreCompared() throws SQLException {
        CounterSession session = session(LONE);
        CounterKey counter = counter("photos");
        CounterRow row = created(session, counter, 100);
        Version next = new Version(row.version().count() + 3, "beef");
        Seen before = look(session, counter);

        for (Version expected :
                Stream.of(next, new Version(row.version().count(), "f00d")).toList()) {
            CounterRow later = row(expected.next(token()), 200);
            assertThat(isMade(session, to(counter, expected, later, OptionalLong.of(200), Map.of(2L, 9L))))
                    .isFalse();
        }
        CounterRow lost = new CounterRow(next, true, 100, "here", 1, "");
        assertThat(isMade(session, marked(counter, row.version(), true, lost))).isFalse();
        CounterRow old = new CounterRow(next, true, 99, "here", 1, "");
        assertThat(isMade(session, marked(counter, row.version(), false, old)))
                .as("an old read is no loss")
                .isFalse();
        assertThat(look(session, counter)).isEqualTo(before);

        assertThat(isMade(session, marked(counter, row.version(), false, lost))).isTrue();
        Seen marked = look(session, counter);
        assertThat(marked.row()).isEqualTo(lost);
        CounterRow found = row(next.next(token()), 300);
        assertThat(isMade(session, marked(counter, next, false, found))).isFalse();
        assertThat(look(session, counter)).isEqualTo(marked);
        assertThat(isMade(session, marked(counter, next, true, found))).isTrue();
        assertThat(look(session, counter).row()).isEqualTo(found);
    }

    private static Write marked(CounterKey counter, Version expected, boolean wasLost, CounterRow row) {
        return new Write(0, expected, new ToRow(counter, wasLost, row, OptionalLong.empty(), Map.of(), true));
    }

    @Test
    void aMissingRowIsNotReplaced() throws SQLException {
        CounterSession session = session(LONE);
        CounterKey counter = counter("photos");
        Seen before = look(session, counter);
        Version expected = Version.first(token());

        assertThat(isMade(
                        session,
                        to(counter, expected, row(expected.next(token()), 5), OptionalLong.of(5), Map.of(2L, 1L))))
                .isFalse();
        assertThat(isMade(session, toHeader(counter, expected, header(expected.next(token()), Header.State.OPEN, ""))))
                .isFalse();
        assertThat(look(session, counter)).isEqualTo(before);
    }

    @Test
    void notesGrowWithEachDraw() throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey photos = counter("photos");
        CounterKey users = counter("users");
        CounterRow row = created(session, photos, 100);
        CounterRow other = created(session, users, 100);

        for (long seen : List.of(57L, 40L, 60L)) {
            assertThat(drawn(session, draw(photos, 1, row.version(), 0, Map.of(1L, seen)))
                            .block())
                    .isNotNull();
            assertThat(look(session, photos).notes()).isEqualTo(Map.of(1L, Math.max(57, seen)));
        }
        assertThat(session.draw(List.of(
                        draw(photos, 1, row.version(), 0, Map.of(1L, 61L)),
                        draw(users, 1, other.version(), 0, Map.of(1L, 7L)))))
                .allSatisfy((counter, answer) -> assertThat(answer.block()).isNotNull());
        assertThat(look(session, photos).notes()).isEqualTo(Map.of(1L, 61L));
        assertThat(look(session, users).notes()).isEqualTo(Map.of(1L, 7L));
        assertThat(look(session, photos).row()).isEqualTo(row(row.version(), 108));
    }

    @Test
    void notesGrowWithEachWriteOfTheRow() throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey counter = counter("photos");
        look(session, counter);
        Write create = create(counter, 100, Map.of(1L, 57L));
        assertThat(isMade(session, create)).isTrue();
        Version version = ((ToRow) create.change()).row().version();

        for (long seen : List.of(40L, Seen.NOT_CREATED, 60L)) {
            CounterRow later = new CounterRow(version.next(token()), false, 100, "here", seen + 5, "");
            assertThat(isMade(session, to(counter, version, later, OptionalLong.empty(), Map.of(1L, seen))))
                    .isTrue();
            assertThat(look(session, counter).notes()).isEqualTo(Map.of(1L, Math.max(57, seen)));
            version = later.version();
        }
        CounterRow closed = new CounterRow(version.next(token()), false, 100, "here", 99, "51c0");
        assertThat(isMade(session, to(counter, version, closed, OptionalLong.empty(), Map.of())))
                .isTrue();
        assertThat(look(session, counter).notes()).isEqualTo(Map.of(1L, 60L));
    }

    @Test
    void aNoteThatACounterWasNotCreatedEndsOnce() throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey photos = counter("photos");
        CounterKey users = counter("users");
        session.look(List.of(photos, users), true);
        Write unmark = new Write(0, null, new ToNote(photos, 1, 0));
        assertThat(isMade(session, unmark)).as("no note").isFalse();
        for (CounterKey each : List.of(photos, users)) {
            assertThat(isMade(session, create(each, 0, Map.of(1L, Seen.NOT_CREATED))))
                    .isTrue();
        }

        assertThat(isMade(session, unmark)).isTrue();
        assertThat(isMade(session, unmark)).isFalse();
        assertThat(look(session, photos).notes()).isEqualTo(Map.of(1L, 0L));
        assertThat(look(session, users).notes()).isEqualTo(Map.of(1L, Seen.NOT_CREATED));

        Version version = look(session, users).row().version();
        assertThat(drawn(session, draw(users, 1, version, 0, Map.of(1L, 5L))).block())
                .isNotNull();
        assertThat(isMade(session, new Write(0, null, new ToNote(users, 1, 0)))).isFalse();
        assertThat(look(session, users).notes()).isEqualTo(Map.of(1L, 5L));
    }

    /** Of changes that are made together, each is made or not by itself. */
    @Test
    void manyChangesAreMadeTogether() throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey ahead = counter("ahead");
        CounterKey changed = counter("changed");
        CounterKey lost = counter("lost");
        CounterKey made = counter("made");
        CounterKey marked = counter("noted");
        session.look(List.of(ahead, changed, lost, made, marked), true);
        CounterRow row = created(session, ahead, 100);
        created(session, changed, 100);
        Version ofLost = created(session, lost, 100).version();
        assertThat(isMade(session, create(marked, 100, Map.of(1L, Seen.NOT_CREATED))))
                .isTrue();
        set(ahead, 151);
        Seen before = look(session, changed);
        Write header = toHeader(made, null, header(Version.first(token()), Header.State.NEW, ""));
        Write raise =
                to(ahead, row.version(), row(row.version().next(token()), 120), OptionalLong.of(120), Map.of(1L, 7L));
        Write stale =
                to(changed, row.version(), row(row.version().next(token()), 120), OptionalLong.of(120), Map.of(1L, 7L));
        Write unmarked = new Write(
                0, ofLost, new ToRow(lost, true, row(ofLost.next(token()), 500), OptionalLong.of(500), Map.of(), true));
        Write create = create(made, 99, Map.of(1L, 9L));
        Write note = new Write(0, null, new ToNote(marked, 1, 0));

        assertThat(session.write(List.of(header, raise, stale, unmarked, create, note)))
                .isEqualTo(Set.of(header, raise, create, note));

        assertThat(look(session, made).header()).isEqualTo(((ToHeader) header.change()).header());
        assertThat(look(session, ahead).counter()).hasValue(152);
        assertThat(look(session, ahead).notes()).isEqualTo(Map.of(1L, 7L));
        assertThat(look(session, changed).row()).isEqualTo(before.row());
        assertThat(look(session, changed).counter()).hasValue(100);
        assertThat(look(session, lost).row().version()).isEqualTo(ofLost);
        assertThat(look(session, made).counter()).hasValue(98);
        assertThat(look(session, marked).notes()).isEqualTo(Map.of(1L, 0L));
    }

    @Test
    void oneLookReadsManyCounters() throws SQLException {
        CounterSession session = session(LONE);
        List<CounterKey> all = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            all.add(counter("many" + i));
        }
        session.look(all, true);
        for (int i = 0; i < all.size(); i += 2) {
            assertThat(isMade(session, create(all.get(i), i, Map.of()))).isTrue();
        }

        Map<CounterKey, Seen> seen = session.look(all, true);

        assertThat(seen).containsOnlyKeys(all);
        for (int i = 0; i < all.size(); i++) {
            Seen each = seen.get(all.get(i));
            assertThat(each.counter()).isEqualTo(i % 2 == 0 ? OptionalLong.of(i) : OptionalLong.empty());
            assertThat(each.row() == null).isEqualTo(i % 2 != 0);
        }
        assertThat(session(LONE).look(all, false)).isEqualTo(seen);
    }
}
