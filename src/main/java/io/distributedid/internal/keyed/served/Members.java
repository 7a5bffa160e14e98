package io.distributedid.internal.keyed.served;

import io.distributedid.internal.lease.LeaseProtocol;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The processes that share the sections of a sequence. Each has a row {@code @keyed/messages/member/0}, which it renews
 * as its sections, and takes the first free one at its start. A row that stays unchanged for ten leases is made free by
 * the others, so that there are no more rows than processes at a time. Only the spread of the sections depends on it,
 * and no promise. For one thread at a time.
 */
final class Members {

    /** The waits after which a row without a change becomes free. */
    private static final int FREED_AFTER = 10;

    private static final int FIRST_PLACES = 8;

    /** A row, and when it was first seen as it is. */
    private record Seen(Row row, long since) {}

    private final LeaseProtocol protocol;

    private final String prefix;

    private final String self;

    /** How many rows are read. */
    private int places = FIRST_PLACES;

    private Map<String, Seen> seen = Map.of();

    /** When the row of this process was sent last; at first long ago. */
    private long renewed;

    /** How often in a row this process asked for a row: a free one that a transaction holds must not keep it away. */
    private int attempts;

    /**
     * @param header the name of the sequence's header
     * @param self the name of this process, which no other one has
     */
    Members(LeaseProtocol protocol, String header, String self, long now) {
        this.protocol = protocol;
        this.prefix = header + "/member/";
        this.self = self;
        renewed = now - protocol.lease();
    }

    /** The names of the rows to read: there is a free one among them. */
    List<String> names() {
        return IntStream.range(0, places).mapToObj(each -> prefix + each).toList();
    }

    /** Learns the rows. */
    void read(Page page, long answered) {
        Map<String, Seen> next = new HashMap<>();
        for (String name : names()) {
            Row row = page.rows().get(name);
            if (row != null) {
                Seen before = seen.get(name);
                next.put(name, before != null && before.row.equals(row) ? before : new Seen(row, answered));
            }
        }
        seen = next;
        attempts = isSeated() ? 0 : attempts;
        if (free().isEmpty()) {
            places *= 2;
        }
    }

    /** Whether others see this process. */
    boolean isSeated() {
        return own().isPresent();
    }

    private Optional<Row> own() {
        return seen.values().stream()
                .map(Seen::row)
                .filter(row -> LeaseProtocol.owner(row).equals(self))
                .findFirst();
    }

    /** The names of live processes, with this one. */
    Set<String> live(long now) {
        Set<String> live = new HashSet<>();
        live.add(self);
        seen.values().forEach(each -> {
            String owner = LeaseProtocol.owner(each.row);
            if (!owner.isEmpty() && now - each.since < protocol.waits(each.row)) {
                live.add(owner);
            }
        });
        return live;
    }

    /** What to send now. */
    List<Change> due(String token, long now) {
        List<Change> changes = new ArrayList<>();
        Optional<Row> own = own();
        if (own.isEmpty() || now - renewed >= protocol.lease() / 3) {
            renewed = now;
            List<String> free = free();
            own.map(row -> changed(row, protocol.text(self), token))
                    .or(() -> Optional.of(joining(free.get(attempts++ % free.size()), token)))
                    .ifPresent(changes::add);
        }
        for (Seen each : seen.values()) {
            String owner = LeaseProtocol.owner(each.row);
            boolean isOther = !owner.isEmpty() && !owner.equals(self);
            if (isOther && now - each.since > FREED_AFTER * protocol.waits(each.row)) {
                changes.add(changed(each.row, Fields.NONE, token));
            }
        }
        return changes;
    }

    private Change joining(String name, String token) {
        Seen free = seen.get(name);
        return free == null
                ? Change.create(name, token, 0, Row.State.NONE, protocol.text(self))
                : changed(free.row, protocol.text(self), token);
    }

    private static Change changed(Row row, Fields text, String token) {
        return Change.replace(row, token, 0, Row.State.NONE, text);
    }

    private List<String> free() {
        return names().stream()
                .filter(name -> {
                    Seen found = seen.get(name);
                    return found == null || LeaseProtocol.owner(found.row).isEmpty();
                })
                .toList();
    }

    /** A change of {@link #due} was done. */
    void done(Change change, long now) {
        Map<String, Seen> next = new HashMap<>(seen);
        next.put(change.name(), new Seen(change.next(), now));
        seen = next;
    }

    /** The change that frees the row of this process, if it has one. */
    Optional<Change> leave(String token) {
        return own().map(row -> changed(row, Fields.NONE, token));
    }
}
