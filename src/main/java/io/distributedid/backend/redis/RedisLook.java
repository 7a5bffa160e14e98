package io.distributedid.backend.redis;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterTexts;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Seen;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.process.Pages;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What {@code look.lua} has read of a counter: one state of both keys, and the server that holds them.
 *
 * <p>A master gets another replication id at each start, and when it is promoted. Each script compares it, so a
 * connection that leads to another server, or to the same one after a failover, draws and changes nothing.
 *
 * @param server what INFO says of it: {@code run_id}, another one at each start; {@code master_replid}, of the history
 *     that it continues; {@code role}, whether it is a master; {@code mode}, whether it is one of a cluster
 * @param counter the text of the last id; null if the key is missing
 * @param fields of the hash, see {@link RedisChange}
 */
record RedisLook(Map<String, String> server, @Nullable String counter, Map<String, String> fields) {

    static RedisLook of(List<?> answer) {
        return new RedisLook(pairs((List<?>) answer.get(0)), (String) answer.get(1), pairs((List<?>) answer.get(2)));
    }

    private static Map<String, String> pairs(List<?> answer) {
        Map<String, String> pairs = new HashMap<>();
        for (int i = 0; i < answer.size(); i += 2) {
            pairs.put((String) answer.get(i), (String) answer.get(i + 1));
        }
        return pairs;
    }

    private String server(String field) {
        return server.getOrDefault(field, "");
    }

    String replicationId() {
        return server("master_replid");
    }

    void requireMaster(String label, boolean isCluster) throws RedisFailure {
        if (server("role").equals("slave")) {
            throw new RedisFailure("Only the master gives ids: " + label
                    + " is a replica. List its master, or the Sentinels that know it: redis-sentinel://"
                    + Pages.onCall("read-only"));
        }
        if (server("run_id").isEmpty() || replicationId().isEmpty()) {
            throw new RedisFailure("A server must identify itself, or a failover would go unnoticed: " + label
                    + " has no run_id and master_replid in INFO. Use Redis 4 or later, or Valkey, and allow INFO");
        }
        if (!isCluster && server("mode").equals("cluster")) {
            throw new RedisFailure("A cluster spreads keys over several servers: " + label
                    + " belongs to a cluster. Write redis-cluster:// or rediss-cluster:// instead");
        }
    }

    /** @throws IdConfigurationException if somebody else has written to one of the keys */
    Seen seen(CounterKey key, Numbering numbering, String label) {
        String ledger = "key=" + RedisChange.ledger(key) + " on " + label;
        Map<Long, Long> notes = new HashMap<>();
        for (long offset = 1; offset <= numbering.increment(); offset++) {
            String note = fields.get(RedisChange.note(offset));
            if (note != null) {
                notes.put(offset, number(note, Seen.NOT_CREATED, key, ledger));
            }
        }
        Row header = row(RedisChange.HEADER, key.header(), 0);
        boolean hasRow = fields.containsKey(RedisChange.VERSION);
        String number = fields.getOrDefault(RedisChange.NUMBER, "");
        Row row = row("", key.ledgerRow(), hasRow ? number(number, 0, key, ledger) : 0);
        return new Seen(
                "run_id " + server("run_id") + " replid " + replicationId(),
                numbering,
                header == null ? null : CounterTexts.header(header),
                row == null ? null : CounterTexts.counterRow(row),
                notes,
                counter == null ? OptionalLong.empty() : OptionalLong.of(number(counter, 0, key, key + " on " + label)),
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

    /** As Redis writes numbers. {@code where}: names the key. */
    private static long number(String text, long least, CounterKey counter, String where) {
        try {
            long number = Long.parseLong(text);
            if (number >= least && Long.toString(number).equals(text)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused as other texts are.
        }
        throw notOurs(counter, where);
    }

    static IdConfigurationException notOurs(CounterKey counter, String where) {
        return new IdConfigurationException("Something else writes to a counter or its ledger: " + where
                + ". Let the other program use another key, or set another " + RedisSettings.KEY.name()
                + "; then delete what it has written, and run: distributedid repair "
                + counter.sequence() + " --above ID"
                + Pages.onCall("foreign-key"));
    }
}
