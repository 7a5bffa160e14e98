package io.distributedid.backend.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.IssuingServer;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a certificate that it has signed itself. */
class RemoteTlsTest {

    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    static Path folder;

    private static DistributedIds behind;

    private static IssuingServer server;

    private static Path trusted;

    @BeforeAll
    static void start() throws Exception {
        KeyStore keys = keys("server");
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        behind = DistributedIds.create(Map.of("distributedid.backend", "memory"));
        server = IssuingServer.start(behind, tls).needs("s3cr3t");
        trusted = pem("trusted.pem", keys);
    }

    @AfterAll
    static void stop() {
        server.close();
        behind.close();
    }

    private static KeyStore keys(String name) throws Exception {
        Path file = folder.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        // It soon ends: the quick compiler is enough.
                        "-J-XX:TieredStopAtLevel=1",
                        "-J-XX:+UseSerialGC",
                        "-genkeypair",
                        "-alias",
                        "ids",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=dns:localhost",
                        "-validity",
                        "3650",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
        assertThat(keytool.waitFor(2, TimeUnit.MINUTES)).as("keytool ends").isTrue();
        assertThat(file).as(Files.readString(folder.resolve(name + ".log"))).exists();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        return keys;
    }

    private static Path pem(String name, KeyStore... all) throws Exception {
        StringBuilder text = new StringBuilder();
        for (KeyStore keys : all) {
            text.append("-----BEGIN CERTIFICATE-----\n")
                    .append(Base64.getMimeEncoder(64, new byte[] {'\n'})
                            .encodeToString(keys.getCertificate("ids").getEncoded()))
                    .append("\n-----END CERTIFICATE-----\n");
        }
        return Files.writeString(folder.resolve(name), text, StandardCharsets.US_ASCII);
    }

    @Test
    void aServerWhoseCertificateIsTrustedGivesIds() throws Exception {
        Path several = pem("several.pem", keys("other"), keys("server2"));
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
        Path others = pem("others.pem", keys("stranger"));
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
