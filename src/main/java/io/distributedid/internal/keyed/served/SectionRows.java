package io.distributedid.internal.keyed.served;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.LedgerMemory;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Verdict;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one sequence of sections in the ledger, and what this process knows of them.
 *
 * <pre>
 * name                version  number  state  text
 * &#64;keyed/messages     2-a01f   64      OPEN   token=7f3a format=1                  the header: how many sections
 * &#64;keyed/messages/12  9-31aa   40000   NONE   owner=https://ids1:8443 lease=5000000000  a section: its max
 * </pre>
 *
 * <p><b>First use.</b> The header is inserted first, in the state NEW, by one of all processes. Then the rows of the
 * sections are, then the {@link io.distributedid.internal.keyed.row.SectionMark} is, and then the header is opened. Any
 * process goes on where another one stopped. No number is given before the header is open, and the number of sections
 * never changes.
 *
 * <p><b>A loss</b> is a missing row of an open header, a mark without header, a row that is older than this process
 * knows it, or another token. It is judged by a synchronised read, and then no number of the sequence is given, until a
 * read shows nothing missing: the max of a section can't be calculated anew. A process that has just started does not
 * notice rows that were set back.
 *
 * <p>For one thread at a time.
 */
final class SectionRows {

    /** After so many looks in a row the caller gets an error. */
    private static final int LOOKS = 40;

    private final SectionStore store;

    private final String sequence;

    private final String header;

    private final List<String> sections;

    /** Of the header and the sections. */
    private final Set<String> names;

    private final LedgerMemory memory;

    private final Platform platform;

    /**
     * @param sections how many
     * @param memory of this sequence; it lasts over suspends
     */
    SectionRows(SectionStore store, String sequence, int sections, LedgerMemory memory, Platform platform) {
        this.store = store;
        this.sequence = sequence;
        this.memory = memory;
        this.platform = platform;
        header = "@keyed/" + sequence;
        this.sections = IntStream.range(0, sections).mapToObj(this::section).toList();
        names = new LinkedHashSet<>(List.of(header));
        names.addAll(this.sections);
    }

    /** The name of the header's row. */
    String header() {
        return header;
    }

    /** The name of a section's row. */
    String section(int index) {
        return header + "/" + index;
    }

    String sequence() {
        return sequence;
    }

    /** Names the store in messages. */
    String store() {
        return store.label();
    }

    /** For messages. */
    String where() {
        return "seq=" + sequence + ", " + store.label();
    }

    /**
     * Reads all rows. Begins a sequence that was never used.
     *
     * @param others names of rows that no promise rests on
     * @throws IdConfigurationException if the rows are not those of the settings, or some are lost
     */
    Page read(Collection<String> others) throws SQLException, InterruptedException {
        for (int i = 0; i < LOOKS; i++) {
            Look look = look(others);
            List<Change> changes = beginning(look);
            if (changes.isEmpty()) {
                return look.page;
            }
            Set<String> unused = store.write(changes);
        }
        throw new IdUnavailableException(
                "Other processes were faster, " + LOOKS + " times, at starting a sequence: " + where() + ". Try again");
    }

    /**
     * What the store holds.
     *
     * @param found the header; null before the first use
     * @param missing sections that are not there
     */
    record Look(Page page, @Nullable Row found, List<String> missing) {

        private boolean isIncomplete() {
            return found == null || (found.state() == Row.State.OPEN && !missing.isEmpty());
        }
    }

    private Look lookOnce(List<String> asked, boolean isSynchronised) throws SQLException, InterruptedException {
        Page page = store.read(asked, isSynchronised);
        List<String> missing =
                sections.stream().filter(name -> !page.rows().containsKey(name)).toList();
        return new Look(page, page.rows().get(header), missing);
    }

    /** Reads all rows, and changes nothing. */
    Look look(Collection<String> others) throws SQLException, InterruptedException {
        List<String> asked = new ArrayList<>(names);
        asked.addAll(others);
        LedgerMemory.Known known = memory.known();
        Look look = lookOnce(asked, false);
        Verdict verdict = known.judge(look.page, names, false);
        boolean isMarked = false;
        if (verdict instanceof Verdict.Stale || look.isIncomplete()) {
            // Before the read: another process may begin the sequence meanwhile.
            isMarked = store.isMarked(sequence);
            look = lookOnce(asked, true);
            verdict = known.judge(look.page, names, true);
        }
        requireNothingLost(look, verdict, isMarked);
        memory.learn(look.page.rows().values().stream()
                .filter(row -> names.contains(row.name()))
                .toList());
        return look;
    }

    private void requireNothingLost(Look look, Verdict verdict, boolean isMarked) {
        if (verdict instanceof Verdict.OtherStore other) {
            throw new IdConfigurationException("The store of a sequence is not the same as before, or was emptied and"
                    + " reused: " + where() + ", " + text(other.doubts())
                    + ". This process gives no numbers with it. Bring back the right store; or stop all processes that"
                    + " use the sequence, and start them again" + Pages.onCall("keyed-sections-lost"));
        }
        if (verdict instanceof Verdict.Loss loss) {
            throw lost(text(loss.doubts()));
        }
        requireWhole(look, isMarked);
    }

    private void requireWhole(Look look, boolean isMarked) {
        Row found = look.found;
        if (found == null) {
            if (isMarked) {
                throw lost("row=" + header + " is missing");
            }
            return;
        }
        if (found.number() != sections.size()) {
            throw new IdConfigurationException("The number of sections must not change, since keys would begin at 1"
                    + " again: " + where() + " is recorded with " + found.number()
                    + ", but distributedid.keyed.section.sections=" + sections.size() + ". Set it to "
                    + found.number() + ", or use another sequence");
        }
        switch (found.state()) {
            case NEW -> {}
            case OPEN -> {
                if (look.isIncomplete()) {
                    throw lost("row=" + look.missing.get(0) + " is missing");
                }
            }
            default ->
                throw new IdConfigurationException("The header of a sequence has an unknown state: "
                        + where() + " row=" + header + " state=" + found.state()
                        + ", allowed: NEW, OPEN. Undo the change that was made by hand");
        }
    }

    private static String text(List<Verdict.Doubt> doubts) {
        Verdict.Doubt first = doubts.get(0);
        return "row=" + first.known().name() + " " + text(first.found()) + ", it was " + text(first.known());
    }

    private static String text(@Nullable Row row) {
        return row == null ? "is missing" : "version=" + row.version() + " number=" + row.number();
    }

    private IdConfigurationException lost(String what) {
        return new IdConfigurationException("The store of a sequence has lost rows, or was set back, and numbers could"
                + " repeat: " + what + ", " + where() + ". No numbers are given. Restore the newest rows, or continue"
                + " above all numbers that were given" + Pages.onCall("keyed-sections-lost"));
    }

    /** The changes that begin the sequence, or go on with that; none once it has begun. */
    private List<Change> beginning(Look look) throws SQLException, InterruptedException {
        Row found = look.found;
        String random = platform.token();
        if (found == null) {
            Fields text = Fields.NONE.with(Fields.TOKEN, random).with(Fields.FORMAT, Fields.KNOWN_FORMAT);
            return List.of(Change.create(header, random, sections.size(), Row.State.NEW, text));
        }
        if (!look.missing.isEmpty()) {
            return look.missing.stream()
                    .map(name -> Change.create(name, random, 0, Row.State.NONE, Fields.NONE))
                    .toList();
        }
        store.mark(sequence);
        return found.state() == Row.State.OPEN
                ? List.of()
                : List.of(Change.replace(found, random, found.number(), Row.State.OPEN, found.text()));
    }

    /** Changes rows of sections, and others. Returns the names of those that were changed for certain. */
    Set<String> write(List<Change> changes) throws SQLException, InterruptedException {
        Set<String> done = store.write(changes);
        memory.learn(changes.stream()
                .map(Change::next)
                .filter(row -> done.contains(row.name()) && names.contains(row.name()))
                .toList());
        return done;
    }
}
