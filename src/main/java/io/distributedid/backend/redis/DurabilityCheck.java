package io.distributedid.backend.redis;

import io.distributedid.IdConfigurationException;
import io.lettuce.core.RedisFuture;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks, on each new connection, that a server keeps what it has confirmed: after a crash, and when its memory is
 * full.
 *
 * <pre>
 * CONFIG GET appendonly; CONFIG GET appendfsync; CONFIG GET no-appendfsync-on-rewrite; CONFIG GET maxmemory-policy
 * INFO memory
 * </pre>
 *
 * <p>A server that does not let its settings be read, as many managed ones, counts as not durable.
 */
final class DurabilityCheck {

    private static final Map<String, String> DURABLE =
            Map.of("appendonly", "yes", "appendfsync", "always", "no-appendfsync-on-rewrite", "no");

    private static final String POLICY = "maxmemory-policy";

    private static final String NO_EVICTION = "noeviction";

    private static final Pattern POLICY_OF_INFO = Pattern.compile("maxmemory_policy:([\\w-]+)");

    private DurabilityCheck() {}

    /**
     * @throws IdConfigurationException if ids may be lost at a crash, and {@code durability} does not allow it; or keys
     *     may be evicted
     */
    static void require(RedisCalls calls, Durability durability) throws SQLException {
        Map<String, RedisFuture<Map<String, String>>> asked = new LinkedHashMap<>();
        for (String name : List.of("appendonly", "appendfsync", "no-appendfsync-on-rewrite", POLICY)) {
            asked.put(name, calls.commands().configGet(name));
        }
        RedisFuture<String> memory = calls.commands().info("memory");
        Map<String, String> found = new LinkedHashMap<>();
        String unreadable = "";
        for (Map.Entry<String, RedisFuture<Map<String, String>>> each : asked.entrySet()) {
            try {
                String value = calls.answer(each.getValue()).get(each.getKey());
                if (value != null) {
                    found.put(each.getKey(), value);
                }
            } catch (RedisFailure e) {
                if (!e.isRefusal()) {
                    throw e;
                }
                unreadable = " (" + e.getMessage() + ")";
            }
        }
        requireNoEviction(calls, found.getOrDefault(POLICY, policy(calls, memory)));
        if (durability == Durability.ALWAYS) {
            requireDurable(calls.label(), found, unreadable);
        }
    }

    private static String policy(RedisCalls calls, RedisFuture<String> memory) throws SQLException {
        try {
            Matcher policy = POLICY_OF_INFO.matcher(calls.answer(memory));
            return policy.find() ? policy.group(1) : "";
        } catch (RedisFailure e) {
            if (!e.isRefusal()) {
                throw e;
            }
            return "";
        }
    }

    /** An unknown policy is not refused: a counter that was evicted is noticed. */
    private static void requireNoEviction(RedisCalls calls, String policy) {
        if (!policy.isEmpty() && !policy.equals(NO_EVICTION)) {
            throw new IdConfigurationException("A server of counters must not evict keys: " + calls.label() + " has "
                    + POLICY + "=" + policy + ", allowed: " + NO_EVICTION + ". Run CONFIG SET " + POLICY + " "
                    + NO_EVICTION + ", and write it into redis.conf; or use a Redis that is no cache");
        }
    }

    private static void requireDurable(String label, Map<String, String> found, String unreadable) {
        List<String> wrong = new ArrayList<>();
        for (String name : List.of("appendonly", "appendfsync", "no-appendfsync-on-rewrite")) {
            String value = found.getOrDefault(name, "unreadable");
            if (!value.equals(DURABLE.get(name))) {
                wrong.add(name + "=" + value);
            }
        }
        if (!wrong.isEmpty()) {
            throw new IdConfigurationException("A server of counters must not lose ids at a crash: " + label + " has "
                    + String.join(" ", wrong) + unreadable
                    + ", allowed: appendonly=yes appendfsync=always no-appendfsync-on-rewrite=no. Set them with CONFIG"
                    + " SET and in redis.conf; or, if ids may be lost, set " + RedisSettings.DURABILITY.name()
                    + "=may_lose: then counters jump after each restart of the server");
        }
    }
}
