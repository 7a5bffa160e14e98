package io.distributedid.internal.counter;

import static java.util.Objects.requireNonNull;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.block.BlockGroup.Rest;
import io.distributedid.spi.Block;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gives unused ids of several counters back: each to its server, which the remainder of the ids names, and all of one
 * server together. Adjacent ones of a counter become one.
 */
final class CounterReturns {

    private static final Logger LOG = System.getLogger(CounterReturns.class.getName());

    private CounterReturns() {}

    /** Returns those that were given back. */
    static <C extends CounterKey> Set<Rest> giveBack(List<CounterServer<C>> servers, List<Rest> rests)
            throws InterruptedException {
        Set<Rest> given = new LinkedHashSet<>();
        for (CounterServer<C> server : servers) {
            Map<C, List<Rest>> byCounter = new LinkedHashMap<>();
            for (Rest each : rests) {
                Numbering numbering = server.numbering();
                if (numbering != null && numbering.holds(each.ids().first())) {
                    addIfAdjacent(
                            byCounter.computeIfAbsent(
                                    Counter.<C>of(each.source()).key(), first -> new ArrayList<>()),
                            each);
                }
            }
            if (!byCounter.isEmpty()) {
                giveBack(server, byCounter, given);
            }
        }
        return given;
    }

    /** {@code later}: blocks of one counter, later ones first. */
    private static void addIfAdjacent(List<Rest> later, Rest rest) {
        Block next = later.isEmpty() ? null : later.get(later.size() - 1).ids();
        if (next == null || next.first() == rest.ids().last() + rest.ids().step()) {
            later.add(rest);
        }
    }

    private static <C extends CounterKey> void giveBack(
            CounterServer<C> server, Map<C, List<Rest>> byCounter, Set<Rest> given) throws InterruptedException {
        Map<C, Block> joined = new LinkedHashMap<>();
        byCounter.forEach((key, rests) -> joined.put(
                key,
                new Block(
                        rests.get(rests.size() - 1).ids().first(),
                        rests.get(0).ids().step(),
                        rests.stream().mapToLong(each -> each.ids().count()).sum())));
        try {
            server.giveBack(
                    joined,
                    key -> Counter.<C>of(
                                    requireNonNull(byCounter.get(key)).get(0).source())
                            .alignment()
                            .history(),
                    key -> given.addAll(requireNonNull(byCounter.get(key))));
        } catch (SQLException | IdConfigurationException e) {
            LOG.log(Level.DEBUG, "Unused ids could not be given back: " + server.label(), e);
        }
    }
}
