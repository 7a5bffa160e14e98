package io.distributedid.internal.ledger;

import io.distributedid.internal.ledger.Verdict.Doubt;
import io.distributedid.internal.ledger.Verdict.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of a ledger: the tokens, versions and numbers of the rows that it has seen or written. With
 * it a store that lost something is told from one that works.
 *
 * <pre>
 * Known known = memory.known();              // before the page is asked for
 * Page page = ledger.read(names);
 * switch (known.judge(page, names, false)) {
 *     case Fine -&gt; memory.learn(page.rows().values());
 *     case Stale -&gt; begin again, with a synchronised read, and judge with true
 *     ...
 * </pre>
 *
 * <p>Only pages that were judged {@link Verdict.Fine}, and changes that were done, are learned. So what another store
 * says, or one that lost something, is never taken for the truth. The state is one immutable object that is swapped as
 * a whole, and only grows: threads that learn at once lose nothing. Thread-safe.
 */
public final class LedgerMemory {

    private final AtomicReference<Known> known = new AtomicReference<>(new Known(Map.of()));

    public Known known() {
        return known.get();
    }

    /** Remembers rows of a page that was judged fine, or of changes that were done. */
    public void learn(Collection<Row> rows) {
        known.updateAndGet(before -> before.with(rows));
    }

    /** Forgets what it knew of rows, once others were told that they are lost, and remembers what is there. */
    public void replace(Set<String> names, Collection<Row> rows) {
        known.updateAndGet(before -> {
            Map<String, Row> others = new HashMap<>(before.rows);
            others.keySet().removeAll(names);
            return new Known(others).with(rows);
        });
    }

    /**
     * What a process knew at one moment. Immutable.
     *
     * <p><b>The rule.</b> A store never forgets a row or a change, never lowers a number under the same version, and
     * never changes the token of a row. So a page that was asked for after this moment shows each row with a version at
     * least as high, and under the same version with a number at least as large. A page that was asked for earlier may
     * show less with nothing lost: take this object first, then read, then judge.
     *
     * @param rows the latest of each row that was seen or written, by name
     */
    public record Known(Map<String, Row> rows) {

        public Known {
            rows = Map.copyOf(rows);
        }

        /** What was known of these rows. */
        public Known of(Collection<String> names) {
            Map<String, Row> some = new HashMap<>(rows);
            some.keySet().retainAll(names);
            return new Known(some);
        }

        /**
         * Judges a page that was asked for after this object was taken.
         *
         * @param asked the names that were read
         * @param isSynchronised whether the page shows all that the store had committed before it was read. If not,
         *     every doubt is {@link Verdict.Stale}
         */
        public Verdict judge(Page page, Collection<String> asked, boolean isSynchronised) {
            List<Doubt> doubts = new ArrayList<>();
            for (String name : asked) {
                Row row = rows.get(name);
                if (row != null) {
                    Row found = page.rows().get(name);
                    kind(row, found).ifPresent(kind -> doubts.add(new Doubt(kind, row, found)));
                }
            }
            if (doubts.isEmpty()) {
                return new Verdict.Fine();
            }
            if (!isSynchronised) {
                return new Verdict.Stale(doubts);
            }
            boolean isOther = doubts.stream().anyMatch(doubt -> doubt.kind() == Kind.OTHER_TOKEN);
            return isOther ? new Verdict.OtherStore(doubts) : new Verdict.Loss(doubts);
        }

        private static Optional<Kind> kind(Row known, @Nullable Row found) {
            if (found == null) {
                return Optional.of(Kind.MISSING);
            }
            if (!found.text().get(Fields.TOKEN).equals(known.text().get(Fields.TOKEN))) {
                return Optional.of(Kind.OTHER_TOKEN);
            }
            if (found.version().count() != known.version().count()) {
                return Optional.of(Kind.OLDER)
                        .filter(older ->
                                found.version().count() < known.version().count());
            }
            if (!found.version().equals(known.version())) {
                return Optional.of(Kind.OTHER_HISTORY);
            }
            return Optional.of(Kind.LOWER).filter(lower -> found.number() < known.number());
        }

        /** Of two rows the later one stays; of two histories the first one, so that the other remains a doubt. */
        private Known with(Collection<Row> more) {
            if (more.stream().noneMatch(row -> isLater(row, rows.get(row.name())))) {
                return this;
            }
            Map<String, Row> next = new HashMap<>(rows);
            for (Row row : more) {
                next.merge(row.name(), row, (known, other) -> isLater(other, known) ? other : known);
            }
            return new Known(next);
        }

        private static boolean isLater(Row other, @Nullable Row known) {
            if (known == null) {
                return true;
            }
            return other.version().equals(known.version())
                    ? other.number() > known.number()
                    : other.version().count() > known.version().count();
        }
    }
}
