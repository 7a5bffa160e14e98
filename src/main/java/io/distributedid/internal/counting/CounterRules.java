package io.distributedid.internal.counting;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides from one look at all servers of a list what must change before ids may be drawn, or why none may. It changes
 * nothing, and knows of other processes only by what it sees.
 *
 * @param maxDistance a server that lies further behind the others is raised; one that lost ids is raised by twice as
 *     much
 * @param failover what to do when another server has taken a server's place
 */
public record CounterRules(long maxDistance, Failover failover) {

    /**
     * Judges a look. If there are doubts, read those servers once more, and ask again with what was read then.
     *
     * @param first by place: what the first read showed; null if the server did not answer
     * @param seen by place: the same, or what a second read showed
     * @param known of this counter
     * @param minimum what the application asks for
     * @param token random, for versions and a new table; the same for all counters of one look, so that their writes to
     *     the table's header are equal
     */
    public Verdict plan(
            CounterKey counter,
            List<@Nullable Seen> first,
            List<@Nullable Seen> seen,
            Known known,
            Minimum minimum,
            String token) {
        throw new UnsupportedOperationException("Not written yet");
    }

    /** The furthest id that a draw may give: beyond it, a counter was changed by hand. */
    public long furthest(Known known) {
        throw new UnsupportedOperationException("Not written yet");
    }
}
