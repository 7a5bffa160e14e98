package io.distributedid.internal.counter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What follows from a look at all servers of a list.
 *
 * @param writes in this order; after the last, or one that was refused, look again
 * @param refusals by place, null if the server may be used; they count if there are no writes
 * @param doubts places of which others say more than they do: read them once more, before anything else
 * @param losses places that lost ids, for which a write makes up
 */
public record Verdict(List<Write> writes, List<@Nullable Refusal> refusals, Set<Integer> doubts, Set<Integer> losses) {

    public Verdict {
        writes = List.copyOf(writes);
        refusals = Collections.unmodifiableList(new ArrayList<>(refusals));
        doubts = Set.copyOf(doubts);
        losses = Set.copyOf(losses);
    }
}
