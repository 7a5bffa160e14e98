package io.distributedid.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that may lose ids at a crash is refused, unless the settings allow it. */
@Needs(Need.REDIS)
class RedisDurabilityTest {

    private static final String ALLOWED =
            ", allowed: appendonly=yes appendfsync=always no-appendfsync-on-rewrite=no. Set them with CONFIG SET and in"
                    + " redis.conf; or, if ids may be lost, set distributedid.redis.durability=may_lose: then counters"
                    + " jump after each restart of the server" + Pages.onCall("durability");

    private RedisServer server;

    private void isRefused(String message) {
        try (DistributedIds ids = RedisServers.client(server.url())) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining(message);
        }
    }

    private void isAccepted(String... settings) {
        try (DistributedIds ids = RedisServers.client(server.url(), settings)) {
            assertThat(ids.next("photos")).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({"appendonly, no", "appendfsync, everysec", "appendfsync, no", "no-appendfsync-on-rewrite, yes"})
    void aServerThatMayLoseIdsIsRefused(String name, String value) {
        server = RedisServers.start("--" + name, value);

        isRefused("A server of counters must not lose ids in a crash: " + server.url() + " has " + name + "=" + value
                + ALLOWED);
        isAccepted("redis.durability", "may_lose");
    }

    @Test
    void aServerWhoseSettingsCanNotBeReadIsRefused() {
        server = RedisServers.start("--rename-command", "CONFIG", "");

        isRefused("A server of counters must not lose ids in a crash: " + server.url()
                + " has appendonly=unreadable appendfsync=unreadable no-appendfsync-on-rewrite=unreadable ("
                + server.url() + " said: ERR unknown command ");
        isAccepted("redis.durability", "may_lose");
    }

    @Test
    void aServerThatEvictsKeysIsRefused() {
        server = RedisServers.start("--maxmemory-policy", "allkeys-lru", "--maxmemory", "100mb");

        String message = "A server of counters must not evict keys: " + server.url()
                + " has maxmemory-policy=allkeys-lru, allowed: noeviction. Run CONFIG SET maxmemory-policy noeviction,"
                + " and write it into redis.conf; or use a Redis that is not a cache"
                + Pages.onCall("durability");
        isRefused(message);
        try (DistributedIds ids = RedisServers.client(server.url(), "redis.durability", "may_lose")) {
            assertThatThrownBy(() -> ids.next("photos")).hasMessageContaining(message);
        }
    }

    @Test
    void theSettingsAreReadOnEachNewConnection() {
        server = RedisServers.start();
        GivenIds given = new GivenIds();
        try (DistributedIds ids = RedisServers.client(server.url())) {
            given.take(ids, 100);
            server.command("CONFIG", "SET", "appendfsync", "everysec");
            given.take(ids, 5);
            server.command("CLIENT", "KILL", "TYPE", "normal");

            given.takeUntilRefusedFor(ids, 1000, "has appendfsync=everysec");
        }
        given.assertNoneTwice();
    }

    @Test
    void aServerThatMayLoseIdsIsNotCalledLossless() {
        server = RedisServers.start();

        assertThatThrownBy(() -> isAccepted("redis.durability", "may_lose", "failover", "lossless"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("A setting has a value that is not allowed: distributedid.failover=lossless,"
                        + " allowed: raise or refuse with distributedid.redis.durability=may_lose");
    }
}
