package benchmarks.keyed;

import io.distributedid.internal.keyed.section.KeyMemory;
import io.distributedid.internal.keyed.section.Section;
import io.distributedid.internal.keyed.section.SectionProtocol;
import io.distributedid.internal.tenure.TenureProtocol;
import io.distributedid.internal.tenure.TenureRequest;
import io.distributedid.internal.tenure.TenureRow;
import io.distributedid.internal.tenure.TenureState;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A section and its row, which is in memory: runs the protocol of the only owner, and counts what it writes. One thread
 * works; all may take numbers.
 */
final class OwnedRow {

    /** The defaults of the settings. */
    private static final SectionProtocol PROTOCOL =
            new SectionProtocol(new TenureProtocol(Duration.ofSeconds(5).toNanos()), 10_000);

    private final Section section;

    private final LongSupplier nanoTime;

    private final long roundTrip;

    private TenureState state = TenureState.EMPTY;

    private TenureRow row;

    private long raises;

    private long renewals;

    /**
     * Owns nothing yet.
     *
     * @param nanoTime a monotonic clock
     * @param roundTrip how long the store takes for an answer, in nanoseconds of that clock
     */
    OwnedRow(KeyMemory memory, LongSupplier nanoTime, long roundTrip) {
        section = new Section(PROTOCOL, memory, nanoTime);
        this.nanoTime = nanoTime;
        this.roundTrip = roundTrip;
    }

    Section section() {
        return section;
    }

    /** Sends what is due, and learns the answer once it has come. Does not wait. */
    void work() {
        long now = nanoTime.getAsLong();
        if (state.sent() == null) {
            if (state.held() == null) {
                state = PROTOCOL.tenure().read(state, row, now);
            }
            if (PROTOCOL.pause(state, section.wanted(), now) > 0) {
                return;
            }
            String token = Long.toString(raises + renewals);
            state = state.sending(PROTOCOL.request(state, section.wanted(), "owner", token, now));
        }
        TenureRequest sent = state.sent();
        if (sent != null && now - sent.since() >= roundTrip) {
            write(sent);
            state = PROTOCOL.tenure().granted(sent);
            section.learn(state);
        }
    }

    private void write(TenureRequest request) {
        if (row == null || request.next().bound() > row.bound()) {
            raises++;
        } else {
            renewals++;
        }
        row = request.next();
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
