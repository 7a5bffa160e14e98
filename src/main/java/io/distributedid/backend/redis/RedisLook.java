package io.distributedid.backend.redis;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterTexts;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Seen;
import io.distributedid.internal.ledger.Row;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What {@code look.lua} has read of a counter: one state of both keys, and the server that holds them.
 *
 * <p>A master gets another replication id at each start, and when it is promoted. Each script compares it, so a
 * connection that leads to another server, or to the same one after a failover, draws and changes nothing.
 *
 * @param runId another one at each start of the server
 * @param replicationId of the history that the server continues
 * @param role whether it is a master
 * @param mode whether it is one of a cluster
 * @param counter the text of the last id; null if the key is missing
 * @param fields of the hash, see {@link RedisChange}
 */
record RedisLook(
        String runId,
        String replicationId,
        String role,
        String mode,
        @Nullable String counter,
        Map<String, String> fields) {

    static RedisLook of(List<?> answer) {
        List<?> pairs = (List<?>) answer.get(5);
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            fields.put((String) pairs.get(i), (String) pairs.get(i + 1));
        }
        return new RedisLook(
                (String) answer.get(0),
                (String) answer.get(1),
                (String) answer.get(2),
                (String) answer.get(3),
                (String) answer.get(4),
                fields);
    }

    void requireMaster(String label, boolean isCluster) throws RedisFailure {
        if (role.equals("slave")) {
            throw new RedisFailure("Only the master gives ids: " + label
                    + " is a replica. List its master, or the Sentinels that know it: redis-sentinel://");
        }
        if (runId.isEmpty() || replicationId.isEmpty()) {
            throw new RedisFailure("A server must say who it is, or a failover would not be noticed: " + label
                    + " has no run_id and master_replid in INFO. Use Redis 4 or later, or Valkey, and allow INFO");
        }
        if (!isCluster && mode.equals("cluster")) {
            throw new RedisFailure("A cluster has keys on several servers: " + label
                    + " is one of a cluster. Write redis-cluster:// or rediss-cluster:// instead");
        }
    }

    /** @throws IdConfigurationException if somebody else has written to one of the keys */
    Seen seen(CounterKey key, Numbering numbering, String label) {
        Map<Long, Long> notes = new HashMap<>();
        for (long offset = 1; offset <= numbering.increment(); offset++) {
            String note = fields.get(RedisChange.note(offset));
            if (note != null) {
                notes.put(offset, number(note).orElseThrow(() -> notOurs(key, label)));
            }
        }
        Row header = row(RedisChange.HEADER, key.header(), 0);
        String number = fields.get(RedisChange.NUMBER);
        Row row = row("", key.ledgerRow(), number(number).orElse(-1L));
        if (row != null && row.number() < 0) {
            throw notOurs(key, label);
        }
        return new Seen(
                "run_id " + runId + " replid " + replicationId,
                numbering,
                header == null ? null : CounterTexts.header(header),
                row == null ? null : CounterTexts.counterRow(row),
                notes,
                counter == null ? OptionalLong.empty() : OptionalLong.of(last(key, label)),
                false,
                Long.MAX_VALUE);
    }

    private @Nullable Row row(String prefix, String name, long number) {
        String version = fields.get(prefix + RedisChange.VERSION);
        return version == null
                ? null
                : Row.stored(
                        name,
                        version,
                        number,
                        fields.getOrDefault(prefix + RedisChange.STATE, ""),
                        fields.getOrDefault(prefix + RedisChange.TEXT, ""));
    }

    private long last(CounterKey key, String label) {
        return number(counter)
                .filter(last -> last >= 0)
                .orElseThrow(() -> new IdConfigurationException("A counter's key must hold a number: " + key + " on "
                        + label + ". Something else writes to it: give it another key, or set another "
                        + RedisSettings.KEY.name() + "; then delete the counter, and run: distributedid repair "
                        + key.sequence() + " --above ID"));
    }

    private static IdConfigurationException notOurs(CounterKey key, String label) {
        return new IdConfigurationException("The ledger of a counter can't be read: key=" + RedisChange.ledger(key)
                + " on " + label + ". Only this library may write it. Delete the key, and run: distributedid repair "
                + key.sequence() + " --above ID");
    }

    /** As Redis writes numbers; empty if it is none. */
    private static Optional<Long> number(@Nullable String text) {
        try {
            long number = Long.parseLong(Objects.requireNonNullElse(text, ""));
            return Long.toString(number).equals(text) ? Optional.of(number) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
