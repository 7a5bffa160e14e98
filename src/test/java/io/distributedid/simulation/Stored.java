package io.distributedid.simulation;

import io.distributedid.internal.counter.CounterRecord;
import io.distributedid.internal.counter.NumberingRecord;
import io.distributedid.internal.counter.Witness;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * All that a {@link MemoryServer} with records stores.
 *
 * @param rows the last ids of the counters, by the key of the counter's record
 * @param claims by table
 * @param records of the counters, by key
 * @param witnesses by key and offset
 */
record Stored(
        Map<String, Long> rows,
        Map<String, NumberingRecord> claims,
        Map<String, CounterRecord> records,
        Map<String, Map<Long, Witness>> witnesses)
        implements Content {

    static final Stored EMPTY = new Stored(Map.of(), Map.of(), Map.of(), Map.of());

    private static <K, V> Map<K, V> changed(Map<K, V> all, Consumer<Map<K, V>> change) {
        Map<K, V> copy = new TreeMap<>(all);
        change.accept(copy);
        return copy;
    }

    @Override
    public boolean isInOrder() {
        return claims.values().stream().allMatch(claim -> claim.state() == NumberingRecord.State.OPEN);
    }

    @Override
    public boolean isCutOff() {
        return claims.values().stream().anyMatch(claim -> claim.state() == NumberingRecord.State.MOVING);
    }

    Map<Long, Witness> witnesses(String key) {
        return witnesses.getOrDefault(key, Map.of());
    }

    long generation(String key) {
        CounterRecord held = records.get(key);
        return held == null ? 0 : held.generation();
    }

    long floor(String key) {
        CounterRecord held = records.get(key);
        return held == null ? 0 : held.floor();
    }

    @Override
    public Stored withRow(String key, long id) {
        return new Stored(changed(rows, all -> all.put(key, id)), claims, records, witnesses);
    }

    Stored withoutRow(String key) {
        return new Stored(changed(rows, all -> all.remove(key)), claims, records, witnesses);
    }

    Stored withRows(Map<String, Long> others) {
        return new Stored(others, claims, records, witnesses);
    }

    Stored withClaim(String table, NumberingRecord claim) {
        return new Stored(rows, changed(claims, all -> all.put(table, claim)), records, witnesses);
    }

    Stored withRecord(String key, CounterRecord counter) {
        return new Stored(rows, claims, changed(records, all -> all.put(key, counter)), witnesses);
    }

    Stored withWitness(String key, long offset, Witness witness) {
        Map<Long, Witness> ofKey = changed(witnesses(key), all -> all.put(offset, witness));
        return new Stored(rows, claims, records, changed(witnesses, all -> all.put(key, ofKey)));
    }

    /** Without a counter and all that the record knows of it; the claim of the table stays. */
    Stored without(String key) {
        return new Stored(
                changed(rows, all -> all.remove(key)),
                claims,
                changed(records, all -> all.remove(key)),
                changed(witnesses, all -> all.remove(key)));
    }
}
