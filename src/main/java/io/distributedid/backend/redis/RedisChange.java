package io.distributedid.backend.redis;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterTexts;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Seen;
import io.distributedid.internal.counter.Write;
import io.distributedid.internal.counter.Write.ToHeader;
import io.distributedid.internal.counter.Write.ToNote;
import io.distributedid.internal.counter.Write.ToRow;
import io.distributedid.internal.ledger.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts a change of a ledger into the arguments of {@code change.lua}. The ledger of a counter is the hash beside it,
 * which the same hash tag keeps on the same server of a cluster:
 *
 * <pre>
 * header.version, header.state, header.text   the header: numbering, token, members, era
 * version, state, number, text                the row of the counter; each draw compares version and state
 * &#64;2                                          how far the server with offset 2 was seen
 * </pre>
 *
 * @param field that is compared
 * @param expected what it holds; empty if it is missing
 * @param next what it holds if the change was made already; empty if that does not tell
 * @param wasLost whether the row is marked as lost; empty if that is not compared
 * @param number of the row; empty if that is not compared
 * @param counter what the counter is created with or raised to; empty if it stays
 * @param set further fields
 * @param raised fields whose numbers never fall
 */
record RedisChange(
        String field,
        String expected,
        String next,
        String wasLost,
        String number,
        String counter,
        Map<String, String> set,
        Map<String, String> raised) {

    static final String HEADER = "header.";

    static final String VERSION = "version";

    static final String STATE = "state";

    static final String NUMBER = "number";

    static final String TEXT = "text";

    static String note(long offset) {
        return "@" + offset;
    }

    /** The key of the hash. */
    static String ledger(CounterKey counter) {
        return counter.table() + ":ledger";
    }

    static RedisChange of(Write write, Numbering numbering) {
        CounterKey key = write.change().counter();
        String expected = write.expected() == null ? "" : write.expected().toString();
        if (write.change() instanceof ToHeader change) {
            Row header = CounterTexts.row(key.header(), change.header());
            return of(HEADER, expected, header, "", "", "", Map.of());
        }
        if (write.change() instanceof ToNote change) {
            return new RedisChange(
                    note(change.offset()),
                    Long.toString(Seen.NOT_CREATED),
                    "",
                    "",
                    "",
                    "",
                    Map.of(note(change.offset()), Long.toString(change.number())),
                    Map.of());
        }
        ToRow change = (ToRow) write.change();
        Map<String, String> raised = new LinkedHashMap<>();
        raised.put(NUMBER, Long.toString(change.row().number()));
        change.notes().forEach((offset, number) -> raised.put(note(offset), Long.toString(number)));
        String counter = change.above().isEmpty()
                ? ""
                : Long.toString(least(change.above().getAsLong(), numbering));
        String wasLost = write.expected() == null ? "" : change.wasLost() ? "yes" : "no";
        String number = write.expected() != null && change.row().isLost() ? raised.get(NUMBER) : "";
        return of("", expected, CounterTexts.row(key.ledgerRow(), change.row()), wasLost, number, counter, raised);
    }

    /** The last id of a counter whose next one is the first above a number. */
    private static long least(long above, Numbering numbering) {
        return above == Long.MAX_VALUE ? above : numbering.before(above + 1);
    }

    private static RedisChange of(
            String prefix,
            String expected,
            Row row,
            String wasLost,
            String number,
            String counter,
            Map<String, String> raised) {
        String next = row.version().toString();
        return new RedisChange(
                prefix + VERSION,
                expected,
                next,
                wasLost,
                number,
                counter,
                Map.of(
                        prefix + VERSION,
                        next,
                        prefix + STATE,
                        row.state().name(),
                        prefix + TEXT,
                        row.text().toString()),
                raised);
    }

    String[] arguments(String replicationId, Numbering numbering) {
        List<String> arguments = new ArrayList<>(List.of(
                replicationId,
                field,
                expected,
                next,
                wasLost,
                number,
                Long.toString(numbering.increment()),
                Long.toString(numbering.offset() % numbering.increment()),
                counter,
                Integer.toString(set.size())));
        set.forEach((name, value) -> arguments.addAll(List.of(name, value)));
        raised.forEach((name, value) -> arguments.addAll(List.of(name, value)));
        return arguments.toArray(String[]::new);
    }
}
