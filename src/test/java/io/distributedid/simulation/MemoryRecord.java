package io.distributedid.simulation;

import io.distributedid.internal.counter.CounterRecord;
import io.distributedid.internal.counter.NumberingRecord;
import io.distributedid.internal.counter.RecordRows;
import io.distributedid.internal.counter.RecordStore;
import io.distributedid.internal.counter.Witness;
import io.distributedid.internal.counter.WitnessNote;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The table of records, with the conditions and effects of its SQL. */
final class MemoryRecord implements RecordStore {

    private final MemorySession session;

    private final String table;

    MemoryRecord(MemorySession session, MemoryKey key) {
        this.session = session;
        this.table = key.table();
    }

    @Override
    public String table() {
        return "distributedid_record";
    }

    @Override
    public String claimKey() {
        return table;
    }

    @Override
    public String key(String counter) {
        return table + "/" + counter;
    }

    @Override
    public RecordRows read(String key) throws SQLException {
        return session.trip("record of", key, on -> rows(on.stored(), table, key));
    }

    static RecordRows rows(Stored stored, MemoryKey key) {
        return rows(stored, key.table(), key.key());
    }

    private static RecordRows rows(Stored stored, String table, String key) {
        return new RecordRows(
                Optional.ofNullable(stored.claims().get(table)),
                Optional.ofNullable(stored.records().get(key)),
                stored.witnesses(key));
    }

    @Override
    public Optional<NumberingRecord> lockClaim(boolean exclusive) throws SQLException {
        return session.trip(
                "lock claim of",
                table,
                on -> Optional.ofNullable(on.stored().claims().get(table)));
    }

    @Override
    public Optional<CounterRecord> lockCounter(String key) throws SQLException {
        return session.trip(
                "lock record of",
                key,
                on -> Optional.ofNullable(on.stored().records().get(key)));
    }

    private void change(String what, Object detail, UnaryOperator<Stored> change) throws SQLException {
        boolean unused = session.trip(what, detail, on -> {
            on.put(change.apply(on.stored()));
            return true;
        });
    }

    @Override
    public void fence() throws SQLException {
        change("fence", table, stored -> {
            Stored fenced = stored;
            for (Map.Entry<String, CounterRecord> each : stored.records().entrySet()) {
                if (each.getKey().startsWith(table + "/")) {
                    CounterRecord old = each.getValue();
                    fenced = fenced.withRecord(
                            each.getKey(),
                            new CounterRecord(old.generation() + 1, old.floor(), old.identity(), old.isRetired()));
                }
            }
            return fenced;
        });
    }

    @Override
    public void putClaim(NumberingRecord claim) throws SQLException {
        change("put", claim, stored -> stored.withClaim(table, claim));
    }

    @Override
    public void insertClaim(NumberingRecord claim) throws SQLException {
        boolean unused = session.trip("insert", claim, on -> {
            if (on.stored().claims().containsKey(table)) {
                throw Failure.duplicate(table);
            }
            on.put(on.stored().withClaim(table, claim));
            return true;
        });
    }

    @Override
    public void updateClaim(NumberingRecord claim) throws SQLException {
        change("update", claim, stored -> stored.claims().containsKey(table) ? stored.withClaim(table, claim) : stored);
    }

    private static Stored put(Stored stored, String key, CounterRecord counter) {
        long floor = Math.max(stored.floor(key), counter.floor());
        return stored.withRecord(
                key, new CounterRecord(counter.generation(), floor, counter.identity(), counter.isRetired()));
    }

    @Override
    public void putCounter(String key, CounterRecord counter) throws SQLException {
        change("put", counter, stored -> put(stored, key, counter));
    }

    @Override
    public void insertCounter(String key, CounterRecord counter) throws SQLException {
        boolean unused = session.trip("insert", counter, on -> {
            if (on.stored().records().containsKey(key)) {
                throw Failure.duplicate(key);
            }
            on.put(put(on.stored(), key, counter));
            return true;
        });
    }

    @Override
    public void updateCounter(String key, CounterRecord counter) throws SQLException {
        change("update", counter, stored -> stored.records().containsKey(key) ? put(stored, key, counter) : stored);
    }

    @Override
    public void putWitness(String key, long offset, Witness witness) throws SQLException {
        change("put witness " + offset, witness, stored -> stored.withWitness(key, offset, witness));
    }

    @Override
    public void created(String key, long offset, Witness witness) throws SQLException {
        change("created " + offset, witness, stored -> {
            Witness held = stored.witnesses(key).get(offset);
            return held != null && held.isNotCreated() ? stored.withWitness(key, offset, witness) : stored;
        });
    }

    @Override
    public void write(WitnessNote note) throws SQLException {
        change("note", new TreeMap<>(note.witnesses()), stored -> {
            Stored noted = stored;
            for (Map.Entry<Long, Witness> each : note.witnesses().entrySet()) {
                Witness known = noted.witnesses(note.key()).get(each.getKey());
                Witness next = each.getValue();
                boolean isNewer = known != null
                        && !known.isNotCreated()
                        && (known.generation() < next.generation()
                                || (known.generation() == next.generation() && known.last() < next.last()));
                if (isNewer) {
                    noted = noted.withWitness(note.key(), each.getKey(), next);
                }
            }
            return noted;
        });
    }
}
