package io.distributedid.backend.redis;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.Pages;
import io.lettuce.core.RedisFuture;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks, on each new connection, that a server keeps what it has confirmed: after a crash, and when its memory is
 * full.
 *
 * <pre>
 * INFO memory
 * CONFIG GET appendonly; CONFIG GET appendfsync; CONFIG GET no-appendfsync-on-rewrite
 * </pre>
 *
 * <p>A server that does not let its settings be read, as many managed ones, counts as not durable.
 */
final class DurabilityCheck {

    private static final List<String> DURABLE =
            List.of("appendonly=yes", "appendfsync=always", "no-appendfsync-on-rewrite=no");

    private static final Pattern POLICY = Pattern.compile("maxmemory_policy:([\\w-]+)");

    private static final String NO_EVICTION = "noeviction";

    private DurabilityCheck() {}

    /**
     * @throws IdConfigurationException if keys may be evicted; or ids may be lost at a crash, and {@code durability}
     *     does not allow it
     */
    static void require(RedisCalls calls, RedisSettings.Durability durability) throws SQLException {
        // An unknown policy is not refused: a counter that was evicted is noticed.
        Matcher policy = POLICY.matcher(calls.answer(calls.commands().info("memory")));
        if (policy.find() && !policy.group(1).equals(NO_EVICTION)) {
            throw new IdConfigurationException("A server of counters must not evict keys: " + calls.label()
                    + " has maxmemory-policy=" + policy.group(1) + ", allowed: " + NO_EVICTION
                    + ". Run CONFIG SET maxmemory-policy " + NO_EVICTION
                    + ", and write it into redis.conf; or use a Redis that is not a cache"
                    + Pages.onCall("durability"));
        }
        if (durability == RedisSettings.Durability.ALWAYS) {
            requireDurable(calls);
        }
    }

    private static void requireDurable(RedisCalls calls) throws SQLException {
        List<String> names = DURABLE.stream()
                .map(each -> each.substring(0, each.indexOf('=')))
                .toList();
        // All are sent before the first answer is awaited.
        List<RedisFuture<Map<String, String>>> asked =
                names.stream().map(name -> calls.commands().configGet(name)).toList();
        List<String> found = new ArrayList<>();
        String refused = "";
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            String value = "unreadable";
            try {
                value = calls.answer(asked.get(i)).getOrDefault(name, value);
            } catch (RedisFailure e) {
                if (!e.isRefusal()) {
                    throw e;
                }
                refused = " (" + e.getMessage() + ")";
            }
            found.add(name + "=" + value);
        }
        found.removeAll(DURABLE);
        if (!found.isEmpty()) {
            throw new IdConfigurationException("A server of counters must not lose ids in a crash: " + calls.label()
                    + " has " + String.join(" ", found) + refused + ", allowed: " + String.join(" ", DURABLE)
                    + ". Set them with CONFIG SET and in redis.conf; or, if ids may be lost, set "
                    + RedisSettings.DURABILITY.name()
                    + "=may_lose: then counters jump after each restart of the server" + Pages.onCall("durability"));
        }
    }
}
