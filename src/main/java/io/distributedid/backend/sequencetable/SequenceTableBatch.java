package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Fence;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.WitnessNote;
import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Reserves blocks from several rows of one sequence table in one transaction. It waits for no lock, so that neither a
 * locked row nor a deadlock holds up the other sequences. On MySQL:
 *
 * <pre>
 * START TRANSACTION;
 * SELECT counter, generation FROM distributedid_record FORCE INDEX (PRIMARY)
 *     WHERE counter IN ('sequence/photos', 'sequence/users') AND server = 0 FOR SHARE SKIP LOCKED;
 * SELECT name, id FROM sequence FORCE INDEX (PRIMARY) WHERE name IN ('photos', 'users') FOR UPDATE SKIP LOCKED;
 * INSERT INTO sequence (name, id) VALUES ('photos', 180), ('users', 96)
 *     ON DUPLICATE KEY UPDATE id = IF((name, id) IN (('photos', 100), ('users', 80)), VALUES(id), id);
 * COMMIT;
 * </pre>
 *
 * <p>The order of the locks is that of the single draw: the record's row, then the counter's. The shared lock keeps the
 * generation until the COMMIT. A counter gets nothing here if its generation is not that of the fence, its row lies
 * below the last id of this process, or the new value would be none of this server. Then it is drawn from alone, and
 * its caller gets the reason.
 *
 * <p>The INSERT changes a row only if it holds the id that was read. Otherwise the batch fails: the table has become
 * MyISAM, whose rows can't be locked, and the next connection refuses it.
 *
 * <p>A row that the queries do not return is locked or missing, which two plain queries tell. For one thread at a time.
 */
final class SequenceTableBatch {

    private final LockedRows rows;

    private final Map<SequenceTableCounter, Draw> draws;

    /** {@code draws}: of counters that are open and whose rows exist, of one table, not empty. */
    SequenceTableBatch(LockedRows rows, Map<SequenceTableCounter, Draw> draws) {
        this.rows = rows;
        this.draws = draws;
    }

    /** Hands over the blocks after the commit, and the counters that are locked. */
    void run(BiConsumer<SequenceTableCounter, Block> drawn, Consumer<SequenceTableCounter> locked) throws SQLException {
        List<SequenceTableCounter> skipped = new ArrayList<>();
        Map<SequenceTableCounter, Block> blocks = rows.inTransaction(() -> {
            skipped.clear();
            return draw(fenced(skipped), skipped);
        });
        blocks.forEach(drawn);
        if (!skipped.isEmpty()) {
            thatExist(skipped).forEach(locked);
        }
        for (SequenceTableCounter each : blocks.keySet()) {
            Optional<WitnessNote> note = draw(each).note();
            if (note.isPresent()) {
                each.write(note.get());
            }
        }
    }

    /** Those of the skipped counters that are only locked: their records and rows are there. */
    private List<SequenceTableCounter> thatExist(List<SequenceTableCounter> skipped) throws SQLException {
        Map<SequenceTableCounter, String> names = new LinkedHashMap<>();
        Map<SequenceTableCounter, Fence> fences = new LinkedHashMap<>();
        for (SequenceTableCounter each : skipped) {
            names.put(each, each.storedName());
            draw(each).fence().ifPresent(fence -> fences.put(each, fence));
        }
        Set<String> there = rows.ids(names.values()).keySet();
        Set<String> recorded = fences.isEmpty() ? Set.of() : recorded(fences.values());
        return skipped.stream()
                .filter(each -> there.contains(names.get(each)))
                .filter(each -> draw(each)
                        .fence()
                        .map(Fence::key)
                        .map(recorded::contains)
                        .orElse(true))
                .toList();
    }

    private Set<String> recorded(Collection<Fence> fences) throws SQLException {
        String record = fences.iterator().next().table();
        return rows.floors(record, fences.stream().map(Fence::key).toList()).keySet();
    }

    private Draw draw(SequenceTableCounter counter) {
        return Objects.requireNonNull(draws.get(counter));
    }

    /** The counters whose generation is the expected one, by the names in their rows. */
    private Map<String, SequenceTableCounter> fenced(List<SequenceTableCounter> skipped) throws SQLException {
        Map<String, SequenceTableCounter> byName = new LinkedHashMap<>();
        Map<String, SequenceTableCounter> byKey = new LinkedHashMap<>();
        String table = "";
        for (Map.Entry<SequenceTableCounter, Draw> each : draws.entrySet()) {
            Fence fence = each.getValue().fence().orElse(null);
            if (fence == null) {
                byName.put(each.getKey().storedName(), each.getKey());
            } else {
                byKey.put(fence.key(), each.getKey());
                table = fence.table();
            }
        }
        if (byKey.isEmpty()) {
            return byName;
        }
        Map<String, Long> generations = rows.share(table, byKey.keySet());
        for (Map.Entry<String, SequenceTableCounter> each : byKey.entrySet()) {
            SequenceTableCounter counter = each.getValue();
            Long generation = generations.get(each.getKey());
            if (generation == null) {
                skipped.add(counter);
            } else if (generation == draw(counter).fence().orElseThrow().generation()) {
                byName.put(counter.storedName(), counter);
            }
        }
        return byName;
    }

    private Map<SequenceTableCounter, Block> draw(
            Map<String, SequenceTableCounter> byName, List<SequenceTableCounter> skipped) throws SQLException {
        if (byName.isEmpty()) {
            return Map.of();
        }
        Map<String, Long> before = rows.lock(byName.keySet());
        Map<String, Long> after = new LinkedHashMap<>();
        Map<SequenceTableCounter, Block> blocks = new LinkedHashMap<>();
        byName.forEach((name, counter) -> {
            Long last = before.get(name);
            if (last == null) {
                skipped.add(counter);
            } else {
                block(counter, last).ifPresent(block -> {
                    after.put(name, block.last());
                    blocks.put(counter, block);
                });
            }
        });
        if (!after.isEmpty()) {
            rows.setIds(before, after);
        }
        return blocks;
    }

    /** Empty if the single draw would refuse it. */
    private Optional<Block> block(SequenceTableCounter counter, long last) {
        Draw draw = draw(counter);
        Numbering numbering = counter.numbering();
        long step = numbering.increment();
        boolean isGood = last >= draw.lastKnown()
                && draw.wanted() <= (Long.MAX_VALUE - last) / step
                && numbering.holds(last + step)
                && last + step >= 1;
        return isGood ? Optional.of(new Block(last + step, step, draw.wanted())) : Optional.empty();
    }
}
