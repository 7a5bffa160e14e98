package io.distributedid.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.Ports;
import io.distributedid.testkit.RedisServer;
import io.distributedid.testkit.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs, users and certificates. */
@Needs(Need.REDIS)
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
        RedisServer server = RedisServers.start();
        user(server, "+config|get");
        server.command("ACL", "SETUSER", "default", "resetpass", ">other");
        String url = "redis://ids:secret@127.0.0.1:" + server.port();
        try (DistributedIds first = RedisServers.client(url);
                DistributedIds second =
                        RedisServers.client(server.url(), "redis.user", "ids", "redis.password", "secret")) {
            given.take(first, 100);
            given.take(second, 100);
            first.admin().repair("photos", 1000);
            RedisServers.takeAll(given, second, 100);
        }
        try (DistributedIds ids = RedisServers.client(server.url(), "redis.user", "ids", "redis.password", "wrong")) {
            assertThat(given.takeUntilRefused(ids, 1))
                    .hasMessageContaining(server.url() + " said: WRONGPASS")
                    .hasMessageContaining("Check distributedid.redis.user and distributedid.redis.password, or user"
                            + " and password in the URL if it has them")
                    .hasMessageNotContaining("wrong)");
        }

        given.assertNoneTwice();
    }

    @Test
    void aUserWithoutTheRightToReadSettingsMayLoseIds() {
        RedisServer server = RedisServers.start();
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

    @Test
    void aClusterTakesAUserToo() {
        RedisServer server = cluster();
        user(server, "+config|get", "+cluster");
        server.command("ACL", "SETUSER", "default", "resetpass", ">other");
        String hosts = "127.0.0.1:" + server.port();
        try (DistributedIds first = RedisServers.client("redis-cluster://ids:secret@" + hosts);
                DistributedIds second = RedisServers.client(
                        "redis-cluster://" + hosts, "redis.user", "ids", "redis.password", "secret")) {
            given.take(first, 100);
            given.take(second, 100);
        }
        try (DistributedIds ids = RedisServers.client("redis-cluster://ids:wrong@" + hosts)) {
            assertThat(given.takeUntilRefused(ids, 1))
                    .hasMessageContaining("redis-cluster://" + hosts + " said: WRONGPASS")
                    .hasMessageContaining("Check distributedid.redis.user and distributedid.redis.password");
        }

        given.assertNoneTwice();
    }

    private static RedisServer cluster(String... arguments) {
        RedisServer server = RedisServers.start(RedisServers.ofCluster(arguments));
        RedisServers.takeAllSlots(server);
        return server;
    }

    /** Sentinel itself has none. */
    @Test
    void aMasterOfSentinelTakesAUserToo() {
        RedisServer server = RedisServers.start();
        RedisServer sentinel = server.sentinel(RedisServers.folder());
        user(server, "+config|get");
        String host = "127.0.0.1:" + sentinel.port() + "/0#ids";
        try (DistributedIds first = RedisServers.client("redis-sentinel://ids:secret@" + host);
                DistributedIds second = RedisServers.client(
                        "redis-sentinel://" + host, "redis.user", "ids", "redis.password", "secret")) {
            given.take(first, 100);
            given.take(second, 100);
            assertThat(server.command("CLIENT", "LIST").lines().filter(each -> each.contains(" user=ids ")))
                    .hasSize(2);
        }

        given.assertNoneTwice();
    }

    @Test
    void certificatesAreCompared() throws Exception {
        Path other = folder.resolve("other.pem");
        TestCertificate.make("other").write(other, folder.resolve("other.key"));
        int port = Ports.take();
        RedisServer server = RedisServers.start(options(port, "--"));
        String url = "rediss://127.0.0.1:" + port;
        try (DistributedIds ids = RedisServers.client(url, "redis.trust", certificate())) {
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

    @Test
    void aClusterHasCertificatesToo() throws Exception {
        int port = Ports.take(RedisServer.CLUSTER_BUS);
        RedisServer server = cluster(options(port, "--", "tls-cluster", "yes"));
        try (DistributedIds ids =
                RedisServers.client("rediss-cluster://127.0.0.1:" + port, "redis.trust", certificate())) {
            given.take(ids, 100);
        }
        try (DistributedIds ids = RedisServers.client("rediss-cluster://127.0.0.1:" + port)) {
            assertThat(given.takeUntilRefused(ids, 1)).hasMessageContaining("unable to find valid certification path");
        }
        assertThat(server.isRunning()).isTrue();
    }

    /** So has the master that it names. */
    @Test
    void sentinelHasCertificatesToo() throws Exception {
        int port = Ports.take();
        int watching = Ports.take();
        String[] lines = options(watching, "", "tls-replication", "yes");
        RedisServer server = RedisServers.start(options(port, "--"));
        RedisServer sentinel = server.sentinel(RedisServers.folder(), port, lines);
        String url = "rediss-sentinel://127.0.0.1:" + watching + "/0#ids";
        try (DistributedIds ids = RedisServers.client(url, "redis.trust", certificate())) {
            given.take(ids, 100);
        }
        try (DistributedIds ids = RedisServers.client(url)) {
            assertThat(given.takeUntilRefused(ids, 1)).hasMessageContaining("unable to find valid certification path");
        }
        assertThat(sentinel.isRunning()).isTrue();
    }

    private String certificate() {
        return folder.resolve("redis.pem").toString();
    }

    /** For the command line, a word each; or lines of a file, if {@code dashes} is empty. */
    private String[] options(int port, String dashes, String... more) throws Exception {
        if (!Files.exists(Path.of(certificate()))) {
            TestCertificate.make("redis").write(Path.of(certificate()), folder.resolve("redis.key"));
        }
        List<String> words = new ArrayList<>(List.of(more));
        words.addAll(List.of(
                "tls-port",
                Integer.toString(port),
                "tls-cert-file",
                certificate(),
                "tls-key-file",
                folder.resolve("redis.key").toString(),
                "tls-ca-cert-file",
                certificate(),
                "tls-auth-clients",
                "no"));
        List<String> options = new ArrayList<>();
        for (int i = 0; i < words.size(); i += 2) {
            if (dashes.isEmpty()) {
                options.add(words.get(i) + " " + words.get(i + 1));
            } else {
                options.addAll(List.of(dashes + words.get(i), words.get(i + 1)));
            }
        }
        return options.toArray(String[]::new);
    }

    @Test
    void aServerThatIsDownIsNamed() {
        String url = "redis://127.0.0.1:" + Ports.take();
        try (DistributedIds ids = RedisServers.client(url)) {
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
