package io.distributedid.backend.redis;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.StoredCounter;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.spi.Block;
import io.lettuce.core.RedisFuture;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A counter in Redis: the text of its last id. A block is drawn by one script, in one trip:
 *
 * <pre>
 * compare master_replid of INFO replication          with that of the connection
 * HMGET {photos}:record generation last              compare the generation; the counter must not lie below last,
 *                                                    nor so far ahead that it must be wrong: last would follow it
 * INCRBY {photos} 1000
 * HSET {photos}:record last ...                      so that a counter that was set back is noticed by everybody
 * </pre>
 *
 * <p>Other changes are a transaction without locks: everything is read in one trip, the work is done on the copy, and a
 * second script makes the changes, unless the record has changed meanwhile; then all begins again. For one thread at a
 * time.
 */
final class RedisCounter implements StoredCounter {

    private static final String FULL = "full ";

    private static final String MOVED = "moved";

    private static final int ATTEMPTS = 100;

    private final RedisCalls calls;

    private final RedisKey key;

    private final Numbering numbering;

    private final ServerInfo server;

    private final RedisRecord record;

    RedisCounter(RedisCalls calls, RedisKey key, Numbering numbering, ServerInfo server) {
        this.calls = calls;
        this.key = key;
        this.numbering = numbering;
        this.server = server;
        this.record = new RedisRecord(calls, key, numbering);
    }

    @Override
    public RedisRecord record() {
        return record;
    }

    @Override
    public String identity() {
        return server.identity();
    }

    @Override
    public String storedName() {
        return key.sequence();
    }

    @Override
    public OptionalLong last() throws SQLException {
        Draft draft = record.draft();
        return draft != null ? draft.last() : last(calls.answer(calls.commands().get(key.counter())));
    }

    /** What the value of the key says. */
    OptionalLong last(@Nullable String text) {
        if (text == null) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            throw new IdConfigurationException("A counter's key must hold a number: " + describe()
                    + ". Something else writes to it: give it another key, or set another "
                    + RedisSettings.KEY.name() + "; then run: " + key.repairCommand());
        }
    }

    private String describe() {
        return key + " on " + calls.label();
    }

    @Override
    public void raise(long above) {
        record.requireDraft().raise(numbering.before(above + 1));
    }

    @Override
    public boolean giveBack(Block rest) {
        return record.requireDraft().lower(rest.last(), rest.first() - rest.step());
    }

    @Override
    public Optional<Block> reserve(Draw draw) throws SQLException {
        long count = draw.wanted();
        String result = calls.run(RedisScript.DRAW, call(draw, count));
        if (result.startsWith(FULL)) {
            count = (Long.MAX_VALUE - Long.parseLong(result.substring(FULL.length()))) / numbering.increment();
            if (count == 0) {
                throw new IdsExhaustedException("The sequence is at the end of its numbers: " + describe()
                        + ". Give the sequence another name, or all of them another " + RedisSettings.KEY.name());
            }
            result = calls.run(RedisScript.DRAW, call(draw, count));
        }
        requireSameServer(result);
        return isDrawn(result) ? Optional.of(block(result, count)) : Optional.empty();
    }

    /** Whether the script has drawn a block. */
    static boolean isDrawn(String result) {
        return Character.isDigit(result.charAt(0));
    }

    /** The call that draws a block. */
    RedisCalls.Call call(Draw draw, long count) {
        long distance = Math.multiplyExact(count, numbering.increment());
        // At the end of all numbers, the answer must be that it is full.
        long highest = draw.furthest() == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, draw.furthest() - distance);
        List<String> arguments = new ArrayList<>(List.of(
                Long.toString(draw.fence().generation()),
                server.replicationId(),
                Long.toString(draw.lastKnown()),
                Long.toString(highest),
                Long.toString(distance)));
        draw.note()
                .ifPresent(note -> note.witnesses().forEach((offset, witness) -> {
                    if (offset != numbering.offset() && !witness.isNotCreated()) {
                        arguments.add(Long.toString(offset));
                        arguments.add(Long.toString(witness.generation()));
                        arguments.add(Long.toString(witness.last()));
                    }
                }));
        return new RedisCalls.Call(keys(), arguments.toArray(String[]::new));
    }

    private String[] keys() {
        return new String[] {key.counter(), key.record()};
    }

    /** The block that a script has drawn. */
    Block block(String result, long count) {
        long last = Long.parseLong(result);
        long first = last - (count - 1) * numbering.increment();
        if (!numbering.holds(last) || first < 1) {
            throw new IdConfigurationException("A counter has a value that this server never gives: " + describe()
                    + " id=" + last + ", " + numbering + ". Something else raises it: stop that, and run: "
                    + key.repairCommand());
        }
        return new Block(first, numbering.increment(), count);
    }

    @Override
    public <T> T inTransaction(Work<T> work) throws SQLException {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            Draft draft = begin(ask());
            T result;
            try {
                result = work.run();
            } finally {
                record.end();
            }
            if (!draft.isChanged() || isMade(draft)) {
                return result;
            }
            Transactions.pause(attempt);
        }
        throw new RedisFailure("The counter changed again and again while it was to be changed: " + describe());
    }

    /** All that a transaction reads. */
    record Asked(RedisFuture<Map<String, String>> fields, RedisFuture<String> last) {}

    /** Sends the questions of a transaction. */
    Asked ask() {
        return new Asked(
                calls.commands().hgetall(key.record()), calls.commands().get(key.counter()));
    }

    /** Begins a transaction, which ends with {@link RedisRecord#end}. */
    Draft begin(Asked asked) throws SQLException {
        return record.begin(calls.answer(asked.fields), last(calls.answer(asked.last)));
    }

    private boolean isMade(Draft draft) throws SQLException {
        return isMade(calls.run(RedisScript.CHANGE, change(draft)));
    }

    /** The call that makes the changes of a transaction. */
    RedisCalls.Call change(Draft draft) {
        return new RedisCalls.Call(
                keys(), draft.arguments(server.replicationId()).toArray(String[]::new));
    }

    /** Whether that call has made them. */
    boolean isMade(String result) throws SQLException {
        requireSameServer(result);
        return result.equals("changed");
    }

    /** A new connection is needed: only that looks at the server again. */
    void requireSameServer(String result) throws SQLException {
        if (result.equals(MOVED)) {
            throw new RedisFailure("The connection leads to another server now, or to one that was promoted: "
                    + describe() + ". It is opened anew");
        }
    }
}
