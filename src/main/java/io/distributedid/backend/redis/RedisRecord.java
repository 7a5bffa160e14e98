package io.distributedid.backend.redis;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.CounterRecord;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.NumberingRecord;
import io.distributedid.internal.counter.RecordRows;
import io.distributedid.internal.counter.RecordStore;
import io.distributedid.internal.counter.Witness;
import io.distributedid.internal.counter.WitnessNote;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The hash beside a counter.
 *
 * <table>
 * <caption>Its fields</caption>
 * <tr><th>field</th><th>holds</th></tr>
 * <tr><td>{@code claim}</td><td>generation, increment, offset, state, token of the id space</td></tr>
 * <tr><td>{@code generation}, {@code floor}, {@code identity}, {@code state}</td><td>the record of the
 * counter</td></tr>
 * <tr><td>{@code last}</td><td>the last id, as each draw leaves it and each change of the counter: the counter must not
 * lie below</td></tr>
 * <tr><td>{@code server:2}</td><td>generation and last id of the server with offset 2, and a token of its
 * addition</td></tr>
 * </table>
 *
 * <p>A change needs a transaction. For one thread at a time.
 */
final class RedisRecord implements RecordStore {

    static final String CLAIM = "claim";

    static final String GENERATION = "generation";

    static final String FLOOR = "floor";

    static final String IDENTITY = "identity";

    static final String STATE = "state";

    private static final String LAST = "last";

    private static final String SERVER = "server:";

    private final RedisCalls calls;

    private final RedisKey key;

    private final Numbering numbering;

    private @Nullable Draft draft;

    RedisRecord(RedisCalls calls, RedisKey key, Numbering numbering) {
        this.calls = calls;
        this.key = key;
        this.numbering = numbering;
    }

    /** Begins a transaction. */
    Draft begin(Map<String, String> fields, OptionalLong last) {
        Draft begun = new Draft(fields, last);
        draft = begun;
        return begun;
    }

    void end() {
        draft = null;
    }

    /** Null outside a transaction. */
    @Nullable
    Draft draft() {
        return draft;
    }

    Draft requireDraft() {
        return Objects.requireNonNull(draft, "no transaction");
    }

    @Override
    public String table() {
        return key.record();
    }

    @Override
    public String claimKey() {
        return key.record();
    }

    @Override
    public String key(String counter) {
        return key.record() + "/" + counter;
    }

    @Override
    public RecordRows read(String ofCounter) throws SQLException {
        Draft begun = draft;
        return rows(begun == null ? calls.answer(calls.commands().hgetall(key.record())) : begun.fields());
    }

    /** What the fields say. */
    RecordRows rows(Map<String, String> fields) {
        try {
            return parsed(fields);
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new IdConfigurationException(
                    "The record of a counter can't be read: " + key.record() + " on " + calls.label()
                            + ". Only this library may write it. Delete the key, and run: " + key.repairCommand()
                            + " --above ID",
                    e);
        }
    }

    private RecordRows parsed(Map<String, String> fields) {
        Map<Long, Witness> witnesses = new HashMap<>();
        fields.forEach((field, value) -> {
            if (field.startsWith(SERVER)) {
                String[] parts = value.split(" ", 2);
                witnesses.put(
                        Long.valueOf(field.substring(SERVER.length())),
                        new Witness(Long.parseLong(parts[0]), Long.parseLong(parts[1])));
            }
        });
        if (fields.containsKey(LAST)) {
            witnesses.put(
                    numbering.offset(),
                    new Witness(
                            Long.parseLong(fields.getOrDefault(GENERATION, "0")), Long.parseLong(fields.get(LAST))));
        }
        return new RecordRows(claim(fields), counter(fields), witnesses);
    }

    private static Optional<NumberingRecord> claim(Map<String, String> fields) {
        return Optional.ofNullable(fields.get(CLAIM)).map(text -> {
            String[] parts = text.split(" ", 5);
            return new NumberingRecord(
                    Long.parseLong(parts[0]),
                    new Numbering(Long.parseLong(parts[1]), Long.parseLong(parts[2])),
                    NumberingRecord.State.valueOf(parts[3]),
                    parts[4]);
        });
    }

    private static Optional<CounterRecord> counter(Map<String, String> fields) {
        return Optional.ofNullable(fields.get(GENERATION))
                .map(generation -> new CounterRecord(
                        Long.parseLong(generation),
                        Long.parseLong(fields.getOrDefault(FLOOR, "0")),
                        fields.getOrDefault(IDENTITY, ""),
                        NumberingRecord.State.RETIRED.name().equals(fields.get(STATE))));
    }

    /** The transaction begins again if it has changed by its end. */
    @Override
    public Optional<NumberingRecord> lockClaim(boolean exclusive) throws SQLException {
        return rows(requireDraft().fields()).claim();
    }

    @Override
    public Optional<CounterRecord> lockCounter(String ofCounter) throws SQLException {
        return rows(requireDraft().fields()).counter();
    }

    @Override
    public void fence() {
        String generation = requireDraft().get(GENERATION);
        if (generation != null) {
            requireDraft().put(GENERATION, Long.toString(Long.parseLong(generation) + 1));
        }
    }

    @Override
    public void putClaim(NumberingRecord claim) {
        Numbering claimed = claim.numbering();
        String text = claim.generation() + " " + claimed.increment() + " " + claimed.offset();
        requireDraft().put(CLAIM, text + " " + claim.state().name() + " " + claim.token());
    }

    @Override
    public void insertClaim(NumberingRecord claim) throws SQLException {
        requireMissing(CLAIM);
        putClaim(claim);
    }

    private void requireMissing(String field) throws SQLException {
        if (requireDraft().get(field) != null) {
            throw RedisFailure.duplicate(key.record() + " " + field);
        }
    }

    @Override
    public void updateClaim(NumberingRecord claim) {
        putClaim(claim);
    }

    @Override
    public void putCounter(String ofCounter, CounterRecord counter) {
        Draft begun = requireDraft();
        begun.put(GENERATION, Long.toString(counter.generation()));
        String floor = begun.get(FLOOR);
        begun.put(
                FLOOR,
                Long.toString(floor == null ? counter.floor() : Math.max(counter.floor(), Long.parseLong(floor))));
        begun.put(IDENTITY, counter.identity());
        begun.put(STATE, counter.isRetired() ? NumberingRecord.State.RETIRED.name() : "");
    }

    @Override
    public void insertCounter(String ofCounter, CounterRecord counter) throws SQLException {
        requireMissing(GENERATION);
        putCounter(ofCounter, counter);
    }

    @Override
    public void updateCounter(String ofCounter, CounterRecord counter) {
        putCounter(ofCounter, counter);
    }

    @Override
    public void putWitness(String ofCounter, long offset, Witness witness) {
        requireDraft().replace(SERVER + offset, witness.generation() + " " + witness.last());
    }

    @Override
    public void created(String ofCounter, long offset, Witness witness) throws SQLException {
        Witness held = read(ofCounter).witnesses().get(offset);
        if (held != null && held.isNotCreated()) {
            putWitness(ofCounter, offset, witness);
        }
    }

    @Override
    public void write(WitnessNote note) throws SQLException {
        Map<Long, Witness> held = read(note.key()).witnesses();
        note.witnesses().forEach((offset, witness) -> {
            Witness known = held.get(offset);
            boolean isNewer = known != null
                    && !known.isNotCreated()
                    && (known.generation() < witness.generation()
                            || (known.generation() == witness.generation() && known.last() < witness.last()));
            if (isNewer && offset != numbering.offset()) {
                putWitness(note.key(), offset, witness);
            }
        });
    }
}
