package io.distributedid.backend.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.IssuingServer;
import io.distributedid.testkit.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a certificate that it has signed itself. */
class RemoteTlsTest {

    @TempDir
    static Path folder;

    private static DistributedIds behind;

    private static IssuingServer server;

    private static Path trusted;

    @BeforeAll
    static void start() throws Exception {
        TestCertificate own = TestCertificate.make("server");
        behind = DistributedIds.create(Map.of("distributedid.backend", "memory"));
        server = IssuingServer.start(behind, own.identity()).needs("s3cr3t");
        trusted = pem("trusted.pem", own);
    }

    @AfterAll
    static void stop() {
        server.close();
        behind.close();
    }

    private static Path pem(String name, TestCertificate... all) throws Exception {
        StringBuilder text = new StringBuilder();
        for (TestCertificate each : all) {
            Path one = folder.resolve("one.pem");
            each.write(one, folder.resolve("one.key"));
            text.append(Files.readString(one));
        }
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void aServerWhoseCertificateIsTrustedGivesIds() throws Exception {
        Path several = pem("several.pem", TestCertificate.make("other"), TestCertificate.make("server2"));
        Files.writeString(several, Files.readString(several) + Files.readString(trusted));
        try (DistributedIds ids =
                RemoteClients.client(server.url(), "remote.token", "s3cr3t", "remote.trust", several.toString())) {
            assertThat(ids.next("photos")).isPositive();
            assertThat(ids.next("photos", 100)).doesNotHaveDuplicates();
        }
    }

    @Test
    void aServerWithAnotherCertificateGetsNoRequest() throws Exception {
        int before = server.requests().size();
        Path others = pem("others.pem", TestCertificate.make("stranger"));
        for (String[] trust : new String[][] {{}, {"remote.trust", others.toString()}}) {
            Object[] more = new Object[trust.length + 4];
            System.arraycopy(trust, 0, more, 0, trust.length);
            System.arraycopy(
                    new Object[] {"remote.token", "s3cr3t", "block.timeout", "100ms"}, 0, more, trust.length, 4);
            try (DistributedIds ids = RemoteClients.client(server.url(), more)) {
                assertThatThrownBy(() -> ids.next("photos"))
                        .isInstanceOf(IdUnavailableException.class)
                        .hasMessageContaining("No TLS connection: ")
                        .hasMessageContaining("Check the server's certificate, and distributedid.remote.trust")
                        .hasMessageNotContaining("s3cr3t");
            }
        }
        assertThat(server.requests()).hasSize(before);
    }

    @Test
    void aFileWithoutCertificatesIsRefused() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");
        try (DistributedIds ids = RemoteClients.client(server.url(), "remote.trust", empty.toString())) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .hasMessage(
                            "The certificates of an issuing service can't be read: distributedid.remote.trust=" + empty
                                    + ", allowed: the path of a PEM file with certificates. Reason: The file holds no"
                                    + " certificate");
        }
    }
}
