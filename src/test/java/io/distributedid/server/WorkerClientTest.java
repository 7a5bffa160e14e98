package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.backend.snowflake.lease.StoreCondition;
import io.distributedid.backend.snowflake.lease.WorkerRow;
import io.distributedid.backend.snowflake.lease.WorkerStore;
import io.distributedid.backend.snowflake.lease.WorkerStoreException;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.Ports;
import io.distributedid.testkit.TestCertificate;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tokens, TLS, the check, and servers that are none. */
class WorkerClientTest {

    private static final WorkerRow FIRST = new WorkerRow(7, "app1", 1_000, "t1");

    @TempDir
    Path folder;

    private RunningServer server;

    private void start(Object... settings) {
        server = WorkerServices.server("worker_client", settings);
    }

    @AfterEach
    void stop() throws SQLException {
        server.close();
        H2Servers.drop("worker_client");
    }

    private String url() {
        return server.server().url();
    }

    @Test
    void aWrongTokenFailsTheStartAndIsNotShown() {
        start(
                "server.token.node.hash", Access.hash("right-token"),
                "server.token.node.sequences", "*",
                "server.token.node.rights", "workers",
                "server.token.web.hash", Access.hash("usual-token"),
                "server.token.web.sequences", "*");

        for (String wrong : List.of("", "wrong-token")) {
            try (DistributedIds node = WorkerServices.node(url(), "snowflake.lease.token", wrong)) {
                assertThatThrownBy(() -> node.next("photos"))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining(
                                ". Set distributedid.snowflake.lease.token to a token of the service (server=" + url())
                        .hasMessageNotContaining("wrong-token");
            }
        }
        try (DistributedIds node = WorkerServices.node(url(), "snowflake.lease.token", "usual-token")) {
            assertThatThrownBy(() -> node.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("The token does not allow this: token=web right=workers.")
                    .hasMessageContaining("Use a token with the right workers (distributedid.snowflake.lease.token)")
                    .hasMessageNotContaining("usual-token");
        }
        try (DistributedIds node = WorkerServices.node(url(), "snowflake.lease.token", "right-token")) {
            assertThat(WorkerServices.worker(node)).isZero();
        }
    }

    @Test
    void aServerThatServesNoWorkerNumbersSaysSo() {
        start();
        try (RunningServer other = RunningServer.ofMemory("worker_client_none");
                DistributedIds node = WorkerServices.node(other.server().url())) {
            assertThatThrownBy(() -> node.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("Set distributedid.server.workers=true at the service (server=");
        }
    }

    @Test
    void aServerDoesNotServeTheStoreOfAnother() {
        start();

        assertThatThrownBy(() -> WorkerServices.server(
                        "worker_client", "snowflake.lease.store", "service", "snowflake.lease.service", url()))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.snowflake.lease.store=service,"
                        + " allowed: jdbc, zookeeper: a server that serves worker numbers has their store itself");
    }

    @Test
    void aCertificateThatIsTrustedIsEnough() throws Exception {
        Path certificate = folder.resolve("tls.crt");
        Path key = folder.resolve("tls.key");
        TestCertificate.make("own").write(certificate, key);
        Path other = folder.resolve("other.crt");
        TestCertificate.make("other").write(other, folder.resolve("other.key"));
        start("server.tls.certificate", certificate, "server.tls.key", key);

        try (DistributedIds node = WorkerServices.node(url(), "snowflake.lease.trust", certificate.toString())) {
            assertThat(WorkerServices.worker(node)).isZero();
        }
        try (WorkerStore store = WorkerServices.store(url(), "snowflake.lease.trust", other.toString())) {
            assertThatThrownBy(store::highest)
                    .isInstanceOf(WorkerStoreException.class)
                    .hasMessageContaining(" said: No TLS connection: ")
                    .hasMessageEndingWith("Check the server's certificate, and distributedid.snowflake.lease.trust");
        }
    }

    @Test
    void aStrictSequencePassesFromOneNodeToTheOther() {
        start();
        Object[] strict = {
            "snowflake.worker", "exclusive", "snowflake.layout", "time(ms):41, sequence:22",
            "snowflake.lease.duration", "10s", "timeout", "5s"
        };
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            try (DistributedIds node = WorkerServices.node(url(), strict)) {
                ids.add(node.next("photos"));
                ids.add(node.next("photos"));
            }
        }

        assertThat(ids).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void theCheckNamesServersThatDoNotAnswer() {
        start();
        String gone = "http://127.0.0.1:" + Ports.take();
        try (DistributedIds node = WorkerServices.node(url())) {
            assertThat(WorkerServices.worker(node)).isZero();

            try (DistributedIds command = WorkerServices.node(gone + ", " + url())) {
                List<CheckResult> results = command.check("photos");

                String label = "worker numbers of " + gone + ", " + url();
                assertThat(results)
                        .extracting(CheckResult::what, CheckResult::server, CheckResult::status)
                        .contains(
                                tuple("worker store", label, CheckResult.Status.OK),
                                tuple("server", gone, CheckResult.Status.FAILED),
                                tuple("layout record", label, CheckResult.Status.OK));
                assertThat(results)
                        .filteredOn(each -> each.what().equals("worker store"))
                        .extracting(CheckResult::detail)
                        .containsExactly("1 of 1024 numbers are taken");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"rows\":[]} | storeTime is missing",
                "{\"storeTime\":\"0\",\"rows\":[]} | storeTime=0 must be from 1 to 9223372036854775807",
                "{\"storeTime\":\"5\"} | rows must be an array",
                "{\"storeTime\":\"5\",\"rows\":[ROW 10]} | worker=10 must be from 0 to 9",
                "{\"storeTime\":\"5\",\"rows\":[ROW 3,ROW 3]} | worker=3 must be from 4 to 9",
                "{\"storeTime\":\"5\",\"rows\":[],\"next\":\"0\"} | next=0 must be from 1 to 9",
                "{\"storeTime\":\"5\",\"rows\":[],\"record\":7} | record must be a text",
                "[] | the answer is no object",
                "{\"done\":true} | rows must be an array"
            })
    void aReadingThatBreaksTheProtocolIsAnError(String answer, String message) throws Exception {
        start();
        String json = answer.replaceAll(
                "ROW (\\d+)", "{\"worker\":\"$1\",\"owner\":\"\",\"reservedUntil\":\"5\",\"token\":\"t\"}");
        try (UnreliableProxy proxy = new UnreliableProxy(server);
                WorkerStore store = WorkerServices.store(proxy.url())) {
            proxy.fault((request, forwarded) -> UnreliableProxy.Answer.ok(json));

            assertThatThrownBy(() -> store.read(0, 9))
                    .isInstanceOf(WorkerStoreException.class)
                    .hasMessage(proxy.url() + " said: The answer is not that of an issuing service: " + message);
        }
    }

    @Test
    void aChangeWhoseAnswerBreaksTheProtocolIsAnError() throws Exception {
        start();
        try (UnreliableProxy proxy = new UnreliableProxy(server);
                WorkerStore store = WorkerServices.store(proxy.url())) {
            store.highest();
            StoreCondition condition = new StoreCondition("token=a1", 100, 200);
            for (String json :
                    List.of("{}", "{\"done\":\"true\"}", "{\"done\":true}", "{\"done\":true,\"storeTime\":\"99\"}")) {
                proxy.fault((request, forwarded) -> UnreliableProxy.Answer.ok(json));

                assertThatThrownBy(() -> store.renew(FIRST, new WorkerRow(7, "app1", 2_000, "t2"), condition))
                        .as(json)
                        .isInstanceOf(WorkerStoreException.class);
            }
            proxy.fault((request, forwarded) -> new UnreliableProxy.Answer(502, "text/html", "<html>"));
            assertThatThrownBy(() -> store.compareAndSet(null, FIRST))
                    .isInstanceOf(WorkerStoreException.class)
                    .hasMessage(proxy.url() + " said: The answer is not that of an issuing service: status=502"
                            + " type=text/html. Check distributedid.snowflake.lease.service, and what is between this"
                            + " process and the service");
        }
    }
}
