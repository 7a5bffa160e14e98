package io.distributedid.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Ports;
import io.distributedid.testkit.RedisServer;
import io.distributedid.testkit.TestCertificate;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs, users and certificates. */
class RedisAccessTest {

    private static final String[] RIGHTS = {
        "~distributedid:*",
        "+ping",
        "+get",
        "+set",
        "+incrby",
        "+hget",
        "+hmget",
        "+hset",
        "+hgetall",
        "+evalsha",
        "+eval",
        "+info"
    };

    private final GivenIds given = new GivenIds();

    @TempDir
    Path folder;

    private static void user(RedisServer server, String... more) {
        String[] words = new String[5 + RIGHTS.length + more.length];
        String[] head = {"ACL", "SETUSER", "ids", "on", ">secret"};
        System.arraycopy(head, 0, words, 0, 5);
        System.arraycopy(RIGHTS, 0, words, 5, RIGHTS.length);
        System.arraycopy(more, 0, words, 5 + RIGHTS.length, more.length);
        assertThat(server.command(words)).isEqualTo("OK");
    }

    @Test
    void aUserNeedsFewRights() {
        try (RedisServer server = RedisServers.start()) {
            user(server, "+config|get");
            server.command("ACL", "SETUSER", "default", "resetpass", ">other");
            String url = "redis://ids:secret@127.0.0.1:" + server.port();
            try (DistributedIds first = RedisServers.client(url);
                    DistributedIds second =
                            RedisServers.client(server.url(), "redis.user", "ids", "redis.password", "secret")) {
                given.take(first, 100);
                given.take(second, 100);
                first.repair("photos", 1000);
                RedisServers.takeAll(given, second, 100);
            }
            try (DistributedIds ids =
                    RedisServers.client(server.url(), "redis.user", "ids", "redis.password", "wrong")) {
                assertThat(given.takeUntilRefused(ids, 1))
                        .hasMessageContaining(server.url() + " said: WRONGPASS")
                        .hasMessageContaining("Check distributedid.redis.user and distributedid.redis.password, or user"
                                + " and password in the URL if it has them")
                        .hasMessageNotContaining("wrong)");
            }
        }
        given.assertNoneTwice();
    }

    @Test
    void aUserWithoutTheRightToReadSettingsMayLoseIds() {
        try (RedisServer server = RedisServers.start()) {
            user(server);
            String url = "redis://ids:secret@127.0.0.1:" + server.port();
            try (DistributedIds ids = RedisServers.client(url)) {
                assertThatThrownBy(() -> ids.next("photos"))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining(server.url() + " has appendonly=unreadable")
                        .hasMessageContaining("NOPERM")
                        .hasMessageNotContaining("secret");
            }
            try (DistributedIds ids = RedisServers.client(url, "redis.durability", "may_lose")) {
                given.take(ids, 10);
            }
        }
    }

    @Test
    void certificatesAreCompared() throws Exception {
        Path certificate = folder.resolve("redis.pem");
        Path key = folder.resolve("redis.key");
        TestCertificate.make(folder, "redis").write(certificate, key);
        Path other = folder.resolve("other.pem");
        TestCertificate.make(folder, "other").write(other, folder.resolve("other.key"));
        int port = Ports.take();
        try (RedisServer server = RedisServers.start(
                "--tls-port", Integer.toString(port),
                "--tls-cert-file", certificate.toString(),
                "--tls-key-file", key.toString(),
                "--tls-ca-cert-file", certificate.toString(),
                "--tls-auth-clients", "no")) {
            String url = "rediss://127.0.0.1:" + port;
            try (DistributedIds ids = RedisServers.client(url, "redis.trust", certificate.toString())) {
                given.take(ids, 100);
            }
            for (String[] settings : new String[][] {{}, {"redis.trust", other.toString()}}) {
                try (DistributedIds ids = RedisServers.client(url, settings)) {
                    assertThat(given.takeUntilRefused(ids, 1))
                            .hasMessageContaining("No connection: " + url)
                            .hasMessageContaining("unable to find valid certification path")
                            .hasMessageContaining(
                                    "Check distributedid.redis.trust, and that the certificate names the" + " host");
                }
            }
            assertThat(server.isRunning()).isTrue();
        }
    }

    @Test
    void aServerThatIsDownIsNamed() {
        String url = "redis://127.0.0.1:" + Ports.take();
        try (DistributedIds ids = RedisServers.client(url, "redis.timeout", "1s")) {
            assertThat(given.takeUntilRefused(ids, 1))
                    .hasMessageContaining(url + " said: No connection: " + url + ": Connection refused")
                    .hasMessageContaining(
                            "Check that the server runs, and its host and port in distributedid.redis.servers");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "http://ids1 http://ids1",
                "redis-sentinel://u:secret@s1,s2 redis-sentinel://s1,s2",
                "redis://secret@ids1#name redis://ids1#name",
                "redis-cluster://:secret@c1/2 redis-cluster://c1/2",
                "jdbc:mysql://ids1/ids jdbc:mysql://ids1/ids"
            })
    void anAddressThatIsNoneIsRefused(String url, String shown) {
        try (DistributedIds ids = RedisServers.client(url)) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("A setting has a value that is not allowed: distributedid.redis.servers="
                            + shown + ", allowed: URLs of Redis separated by commas: redis://host:6379")
                    .hasMessageNotContaining("secret");
        }
    }

    @Test
    void oneServerTwiceIsRefused() {
        try (DistributedIds ids = RedisServers.client("redis://ids1:6379, redis://user:pw@ids1:6379")) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .hasMessageContaining(
                            "distributedid.redis.servers=redis://ids1:6379 twice, allowed: every server" + " once");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a{b", "a b"})
    void aPrefixThatIsNoneIsRefused(String prefix) {
        try (DistributedIds ids = RedisServers.client("redis://ids1:6379", "redis.key", prefix)) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("distributedid.redis.key=" + prefix);
        }
    }
}
