package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Ends the use of a counter for good, because its sequence takes its ids from another place. Marks its record as
 * retired on every server, under a new generation, which fences every client that draws. A server whose claim is no
 * longer as it was seen is not changed, see {@link ClaimLock}. All servers must answer. Safe to repeat.
 */
final class Retirement {

    private Retirement() {}

    /** Returns for each server, by its label, an id above which it gave none. */
    static <C extends CounterKey> Map<String, Long> run(List<CounterServer<C>> servers, C counter)
            throws SQLException, InterruptedException {
        List<Seen> before = look(servers, counter);
        requireNothingLost(counter, before);
        requireNoneMissing(counter, before);
        for (Seen each : before) {
            servers.get(each.place()).operate(counter, (stored, key) -> {
                RecordStore record = stored.record();
                ClaimLock.require(record, each.claim(), "a retirement", counter + " on " + each.label());
                CounterRecord old = record.lockCounter(key).orElse(new CounterRecord(0, 0, stored.identity()));
                record.putCounter(key, new CounterRecord(old.generation() + 1, old.floor(), old.identity(), true));
                return old;
            });
        }
        List<Seen> retired = look(servers, counter);
        // Until then, a server could be added.
        requireNoneMissing(counter, retired);
        Map<String, Long> last = new LinkedHashMap<>();
        for (Seen each : retired) {
            long given = each.lastOrZero() == 0 ? 0 : each.lastOrZero() + each.slack();
            long known = Math.max(Losses.floor(each), Losses.highestNoted(each, retired.stream()));
            last.put(each.label(), Math.max(given, known));
        }
        return last;
    }

    private static <C extends CounterKey> List<Seen> look(List<CounterServer<C>> servers, C counter)
            throws SQLException, InterruptedException {
        List<Seen> seen = new ArrayList<>();
        for (CounterServer<C> server : servers) {
            seen.add(server.look(counter));
        }
        return seen;
    }

    /** The new place starts above the last ids, so none of them may be missing. */
    private static <C extends CounterKey> void requireNothingLost(C counter, List<Seen> seen) {
        boolean isClaimed = seen.stream().anyMatch(each -> each.claim().isPresent());
        for (Seen each : seen) {
            boolean isAsListed = each.claim()
                    .map(claim -> claim.state() == NumberingRecord.State.OPEN
                            && claim.numbering().equals(each.numbering()))
                    .orElse(!isClaimed);
            if (!isAsListed) {
                throw new IdConfigurationException("A counter must be retired with the settings that its clients had: "
                        + counter + " on " + each.label() + " has " + each.numbering() + ", its claim is "
                        + each.claim()
                                .map(claim -> claim.numbering() + " state="
                                        + claim.state().name().toLowerCase(Locale.ROOT))
                                .orElse("missing")
                        + ". List the servers as they did; if one lost its counters: " + counter.repairCommand());
            }
            if (Losses.mayHaveLost(each, seen)) {
                throw new IdConfigurationException(
                        "A server may have lost ids, so the first free id for the new place is unknown: " + counter
                                + " on " + each.label() + " " + Losses.found(each)
                                + ". Run this first, with the same settings: " + counter.repairCommand());
            }
        }
    }

    /**
     * A server that was added later than the list was written would go on giving ids, which the new place gives too.
     */
    private static <C extends CounterKey> void requireNoneMissing(C counter, List<Seen> seen) {
        Set<Long> listed = seen.stream().map(each -> each.numbering().offset()).collect(Collectors.toSet());
        for (Seen each : seen) {
            each.witnesses().forEach((offset, note) -> {
                boolean isOfNumbering = offset <= each.numbering().increment();
                if (isOfNumbering && !note.isNotCreated() && !listed.contains(offset)) {
                    throw new IdConfigurationException("A counter must be retired on all its servers: " + counter
                            + " on " + each.label() + " knows of a server with offset=" + offset
                            + ", which is not listed" + note.given(" and")
                            + ". List it too; if it is gone, list an empty server in its place, and run first: "
                            + counter.repairCommand());
                }
            });
        }
    }
}
