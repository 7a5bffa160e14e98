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
 */
final class RedisChange {

    static final String HEADER = "header.";

    static final String VERSION = "version";

    static final String STATE = "state";

    static final String NUMBER = "number";

    static final String TEXT = "text";

    /** No field: whether the row is marked as lost. */
    private static final String LOST = "lost";

    /** What fields must hold; empty if they must be missing. */
    private final Map<String, String> expected = new LinkedHashMap<>();

    /** What fields hold afterwards. If the first one holds it already, the change was made before. */
    private final Map<String, String> set = new LinkedHashMap<>();

    /** Fields whose numbers never fall. */
    private final Map<String, String> raised = new LinkedHashMap<>();

    private RedisChange() {}

    static String note(long offset) {
        return "@" + offset;
    }

    /** The key of the hash. */
    static String ledger(CounterKey counter) {
        return counter.table() + ":ledger";
    }

    static List<String> arguments(Write write, Numbering numbering) {
        RedisChange change = new RedisChange();
        CounterKey key = write.change().counter();
        String counter = "";
        if (write.change() instanceof ToHeader to) {
            change.replace(HEADER, write, CounterTexts.row(key.header(), to.header()));
        } else if (write.change() instanceof ToNote to) {
            change.expected.put(note(to.offset()), Long.toString(Seen.NOT_CREATED));
            change.raise(note(to.offset()), to.number());
        } else if (write.change() instanceof ToRow to) {
            change.replace("", write, CounterTexts.row(key.ledgerRow(), to.row()));
            change.raise(NUMBER, to.row().number());
            if (write.expected() != null) {
                change.expected.put(LOST, to.wasLost() ? "yes" : "no");
            }
            if (write.expected() != null && to.row().isLost()) {
                change.expected.put(NUMBER, Long.toString(to.row().number()));
            }
            to.notes().forEach((offset, number) -> change.raise(note(offset), number));
            counter = to.above().isEmpty()
                    ? ""
                    : Long.toString(numbering.before(to.above().getAsLong()));
        }
        List<String> arguments = new ArrayList<>(
                List.of(counter, Integer.toString(change.expected.size()), Integer.toString(change.set.size())));
        for (Map<String, String> each : List.of(change.expected, change.set, change.raised)) {
            each.forEach((field, value) -> arguments.addAll(List.of(field, value)));
        }
        return arguments;
    }

    private void replace(String prefix, Write write, Row row) {
        expected.put(
                prefix + VERSION,
                write.expected() == null ? "" : write.expected().toString());
        set.put(prefix + VERSION, row.version().toString());
        set.put(prefix + STATE, row.state().name());
        set.put(prefix + TEXT, row.text().toString());
    }

    private void raise(String field, long number) {
        raised.put(field, Long.toString(number));
    }
}
