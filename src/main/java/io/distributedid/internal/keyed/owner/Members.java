package io.distributedid.internal.keyed.owner;

import io.distributedid.internal.keyed.owner.SectionStore.Write;
import io.distributedid.internal.tenure.TenureProtocol;
import io.distributedid.internal.tenure.TenureRequest;
import io.distributedid.internal.tenure.TenureRow;
import io.distributedid.internal.tenure.TenureState;
import io.distributedid.internal.tenure.TenureState.Sighting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The processes that share the sections of a sequence. Each renews a row of its own, as it does those of its sections,
 * and takes the first free one at its start. A row that stays unchanged for ten leases is made free by the others, so
 * that there are no more rows than processes at a time. Only the spread of the sections depends on it, and no promise.
 * For one thread at a time.
 */
final class Members {

    /** The waits after which a row without a change becomes free. */
    private static final int FREED_AFTER = 10;

    private final TenureProtocol protocol;

    private final String self;

    private int place;

    private TenureState own = TenureState.EMPTY;

    private final Map<Integer, Sighting> seen = new HashMap<>();

    Members(TenureProtocol protocol, String self) {
        this.protocol = protocol;
        this.self = self;
    }

    /** Learns all rows of the sequence. */
    void read(Map<Integer, TenureRow> rows, long answered) {
        rows.forEach((each, row) -> {
            if (each <= SectionStore.FIRST_MEMBER) {
                Sighting before = seen.get(each);
                if (before == null || !row.equals(before.row())) {
                    seen.put(each, new Sighting(row, answered));
                }
            }
        });
        if (!own.equals(TenureState.EMPTY)) {
            own = protocol.read(own, rows.get(place), answered);
        }
    }

    /** Whether others see this process. */
    boolean isSeated() {
        return own.held() != null;
    }

    /** The names of live processes, with this one. */
    Set<String> live(long now) {
        Set<String> live = new HashSet<>();
        live.add(self);
        seen.values().forEach(each -> {
            TenureRow row = each.row();
            if (row != null && now - each.since() < protocol.wait(row)) {
                live.add(row.owner());
            }
        });
        return live;
    }

    /** What to send now. */
    List<Write> due(String token, long now) {
        List<Write> writes = new ArrayList<>();
        TenureRequest request = due(now, token);
        if (request != null) {
            writes.add(new Write(place, request));
        }
        seen.forEach((each, sighting) -> {
            TenureRow row = sighting.row();
            if (each != place && row != null && !row.isHandedBack() && isLongDead(row, now - sighting.since())) {
                writes.add(new Write(each, new TenureRequest(row, free(token), 0, now)));
            }
        });
        return writes;
    }

    private boolean isLongDead(TenureRow row, long unchanged) {
        return unchanged > FREED_AFTER * protocol.wait(row);
    }

    private TenureRow free(String token) {
        return new TenureRow("", 0, protocol.lease(), token);
    }

    private @Nullable TenureRequest due(long now, String token) {
        if (own.sent() != null) {
            return own.sent();
        }
        if (own.held() == null) {
            place = SectionStore.FIRST_MEMBER;
            while (!isFree(place)) {
                place--;
            }
            own = new TenureState(
                    null, null, Optional.ofNullable(seen.get(place)).orElseGet(() -> new Sighting(null, now)));
        } else if (protocol.pause(own, now) > 0) {
            return null;
        }
        TenureRequest request = protocol.request(own, 0, self, token, now);
        own = own.sending(request);
        return request;
    }

    private boolean isFree(int each) {
        Sighting sighting = seen.get(each);
        return sighting == null || sighting.row() == null || sighting.row().isHandedBack();
    }

    /** A write of {@link #due} was done. */
    void done(Write write, long now) {
        if (write.request().equals(own.sent())) {
            own = protocol.granted(write.request());
        }
        seen.put(write.place(), new Sighting(write.request().next(), now));
    }

    /** The write that frees the row of this process, if it has one. */
    Optional<Write> leave(String token, long now) {
        return Optional.ofNullable(own.held()).map(held -> new Write(place, protocol.handBack(held, 0, token, now)));
    }
}
