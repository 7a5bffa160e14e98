package io.distributedid.internal.counter;

import static java.util.Objects.requireNonNull;

import io.distributedid.spi.Block;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What this process keeps of one counter, shared by all sequences that use it. What it knows of the servers comes from
 * looks that were judged good, and from draws, and from nothing else. Thread-safe.
 */
final class CounterMemory {

    private final CounterKey counter;

    private final AtomicReference<Known> known = new AtomicReference<>(Known.NOTHING);

    private volatile Judged judged;

    private volatile Minimum minimum = Minimum.NONE;

    /**
     * The last time that all servers were looked at, and no change was left.
     *
     * @param minimum that the servers were compared with
     * @param refusals by place; empty if there was no look yet
     * @param at when, by the platform's time
     */
    record Judged(Minimum minimum, List<@Nullable Refusal> refusals, long at) {

        boolean isGood(int place) {
            return place < refusals.size() && refusals.get(place) == null;
        }

        /** Whether a server was refused for what it holds. */
        boolean isRefused(int place) {
            Refusal refusal = place < refusals.size() ? refusals.get(place) : null;
            return refusal != null && !refusal.isPassing();
        }

        /** Whether it answers a comparison with another minimum, too. */
        boolean covers(Minimum other) {
            return minimum.raiseAbove() >= other.raiseAbove()
                    && other.existing().entrySet().stream()
                            .allMatch(each -> minimum.existing().getOrDefault(each.getKey(), 0L) >= each.getValue());
        }
    }

    CounterMemory(CounterKey counter, long now) {
        this.counter = counter;
        this.judged = new Judged(Minimum.NONE, List.of(), now);
    }

    CounterKey counter() {
        return counter;
    }

    /** Take it before a look that it judges: this process draws meanwhile. */
    Known known() {
        return known.get();
    }

    /** The ids that all servers must lie above: also those that answer later. */
    Minimum minimum() {
        return minimum;
    }

    void require(Minimum higher) {
        minimum = higher;
    }

    Judged judged() {
        return judged;
    }

    void judged(Judged now) {
        judged = now;
    }

    /** After a look at a server that was not refused. */
    void learn(int place, Seen seen) {
        CounterRow row = requireNonNull(seen.row());
        known.updateAndGet(before -> before.with(place, requireNonNull(seen.header()), row, row.number()));
    }

    /** A draw by what is known now, with notes of how far the other servers were seen. */
    Draw draw(CounterServer from, long wanted, ServerList list) {
        Known now = known.get();
        Known.OfServer here = now.server(from.place()).orElseThrow();
        Map<Long, Long> notes = new HashMap<>();
        for (CounterServer other : list.servers()) {
            Numbering its = other.numbering();
            if (other.place() != from.place() && its != null) {
                now.server(other.place()).ifPresent(of -> notes.put(its.offset(), of.number()));
            }
        }
        return new Draw(
                counter, wanted, here.version(), here.number(), list.rules().furthest(now), notes);
    }

    /**
     * Learns from the answer of a server, and returns it, or that it is refused. The server has compared all this
     * already: a proxy may repeat its answer.
     */
    Drawn drawn(int place, Draw draw, Drawn answer) {
        Block block = answer.block();
        if (block == null) {
            return answer;
        }
        if (block.first() <= draw.known() || block.last() > draw.furthest()) {
            return Drawn.REFUSED;
        }
        known.updateAndGet(before -> before.drawn(place, draw.version(), block.last()));
        return answer;
    }
}
