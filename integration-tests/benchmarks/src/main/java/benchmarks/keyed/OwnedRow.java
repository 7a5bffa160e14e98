package benchmarks.keyed;

import io.distributedid.internal.keyed.served.KeyMemory;
import io.distributedid.internal.keyed.served.Section;
import io.distributedid.internal.keyed.served.SectionProtocol;
import io.distributedid.internal.lease.Lease;
import io.distributedid.internal.lease.LeaseProtocol;
import io.distributedid.internal.lease.LeaseRequest;
import io.distributedid.internal.lease.LeaseState;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Version;
import io.distributedid.internal.process.Platform;
import java.time.Duration;
import java.util.Map;

/**
 * A section and its row, which is in memory: runs the protocol of the only owner, and counts what it writes. One thread
 * works; all may take numbers.
 */
final class OwnedRow {

    /** The defaults of the settings. */
    private static final SectionProtocol PROTOCOL = new SectionProtocol(
            new LeaseProtocol(
                    LeaseProtocol.Rule.UNCHANGED, Duration.ofSeconds(5).toNanos()),
            10_000);

    /** Of the header, which never changes. */
    private static final Version HEADER = Version.first("header");

    private final Section section;

    private final Platform platform;

    private final long roundTrip;

    private LeaseState state = LeaseState.EMPTY;

    private Row row = new Row("@keyed/messages/0", Version.first("0"), 0, Row.State.NONE, Fields.NONE);

    private long raises;

    private long renewals;

    /**
     * Owns nothing yet.
     *
     * @param platform with a monotonic clock
     * @param roundTrip how long the store takes for an answer, in nanoseconds of that clock
     */
    OwnedRow(KeyMemory memory, Platform platform, long roundTrip) {
        section = new Section(PROTOCOL, memory, platform, () -> {});
        this.platform = platform;
        this.roundTrip = roundTrip;
    }

    Section section() {
        return section;
    }

    /** Sends what is due, and learns the answer once it has come. Does not wait. */
    void work() {
        long now = platform.nanoTime();
        if (state.sent() == null) {
            Lease held = state.held();
            String token = Long.toString(raises + renewals);
            if (held == null) {
                send(PROTOCOL.lease().claim(row, HEADER, 0, PROTOCOL.raised(row.number()), "owner", token, now));
            } else if (PROTOCOL.lease().pause(held, now) <= 0 || PROTOCOL.mustRaise(held, section.wanted())) {
                long max = PROTOCOL.max(held, section.wanted());
                send(PROTOCOL.lease().renew(held, HEADER, 0, max, "owner", token, now));
            }
        }
        LeaseRequest sent = state.sent();
        if (sent != null && now - sent.lease().since() >= roundTrip) {
            write(sent.change().next());
            state = PROTOCOL.lease().done(state, 0, now);
            state = PROTOCOL.lease().read(state, Map.of(row.name(), row), HEADER, 0, now);
            section.learn(state.held());
        }
    }

    private void send(LeaseRequest request) {
        state = state.sending(request);
    }

    private void write(Row next) {
        if (next.number() > row.number()) {
            raises++;
        } else {
            renewals++;
        }
        row = next;
    }

    /** Writes that raised {@code max}, with the first one. */
    long raises() {
        return raises;
    }

    /** Writes that only renewed the lease. */
    long renewals() {
        return renewals;
    }
}
