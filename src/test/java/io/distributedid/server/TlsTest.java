package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Settings;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.LoggedWarnings;
import io.distributedid.testkit.TestCertificate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted connections, and certificates that change. */
@Tag("slow")
class TlsTest {

    @TempDir
    Path folder;

    private Path certificate;

    private Path key;

    @BeforeEach
    void setUp() {
        certificate = folder.resolve("tls.crt");
        key = folder.resolve("tls.key");
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("backend", "memory");
        settings.put("server.sequences", "tls");
        settings.put("server.tls.certificate", certificate);
        settings.put("server.tls.key", key);
        return settings;
    }

    private static HttpResponse<String> ask(RunningServer server, TestCertificate trusted) throws Exception {
        return ask(server, trusted, "TLSv1.3");
    }

    private static HttpResponse<String> ask(RunningServer server, TestCertificate trusted, String version)
            throws Exception {
        HttpClient client = HttpClient.newBuilder()
                .sslContext(trusted.trust())
                .sslParameters(new SSLParameters(null, new String[] {version}))
                .build();
        return client.send(
                HttpRequest.newBuilder(URI.create(server.server().url() + "/v1/sequences"))
                        .timeout(Await.PATIENCE)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void requestsAreEncryptedAndSpeakHttp2() throws Exception {
        TestCertificate own = TestCertificate.make("first");
        own.write(certificate, key);
        try (RunningServer server = RunningServer.with(settings())) {
            assertThat(server.server().url()).startsWith("https://127.0.0.1:");

            HttpResponse<String> answer = ask(server, own);

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
        }
    }

    @Test
    void aNewCertificateIsUsedWithoutARestartAndOneThatDoesNotFitIsNot() throws Exception {
        TestCertificate first = TestCertificate.make("first");
        TestCertificate second = TestCertificate.make("second");
        first.write(certificate, key);
        try (RunningServer server = RunningServer.with(settings());
                LoggedWarnings warnings = LoggedWarnings.ofPackage(Tls.class.getPackage())) {
            assertThat(ask(server, first).statusCode()).isEqualTo(200);

            // The certificate is new, and the key is not.
            second.write(certificate, folder.resolve("later.key"));
            Await.until("the half is refused", () -> !warnings.messages().isEmpty());
            assertThat(warnings.messages().get(0))
                    .startsWith("The TLS files have changed, and can't be used. The old ones stay in use: ")
                    .endsWith("the key belongs to another certificate");
            assertThat(ask(server, first).statusCode()).isEqualTo(200);

            Files.copy(folder.resolve("later.key"), key, StandardCopyOption.REPLACE_EXISTING);
            Await.until("the second is used", () -> isServed(server, second));
            assertThat(isServed(server, first)).isFalse();
        }
    }

    @Test
    void aFileThatCanNotBeReadIsAWarningOnce() throws Exception {
        TestCertificate first = TestCertificate.make("first");
        first.write(certificate, key);
        Tls tls = Tls.of(Settings.of(RunningServer.full(settings()))).orElseThrow();
        tls.load();
        try (LoggedWarnings warnings = LoggedWarnings.of(Tls.class)) {
            Files.delete(key);
            tls.reload();
            tls.reload();
            assertThat(warnings.messages()).singleElement().asString().endsWith("NoSuchFileException: " + key);
            assertThat(tls.getKeyStore().size()).isEqualTo(1);
        }
    }

    /** As other servers take them, though it is of no use to clients. */
    @Test
    void furtherCertificatesNeedNotBelongToTheFirst() throws Exception {
        TestCertificate own = TestCertificate.make("first");
        own.write(certificate, key);
        Path other = folder.resolve("other.pem");
        TestCertificate.make("second").write(other, folder.resolve("other.key"));
        Files.writeString(certificate, Files.readString(certificate) + Files.readString(other));

        try (RunningServer server = RunningServer.with(settings())) {
            assertThat(ask(server, own).statusCode()).isEqualTo(200);
        }
    }

    /** With the older version of TLS. */
    @Test
    void aKeyOfRsaIsUsedAndExchangedForOneOfAnotherKind() throws Exception {
        String version = "TLSv1.2";
        TestCertificate rsa = TestCertificate.makeRsa("first");
        TestCertificate other = TestCertificate.make("second");
        rsa.write(certificate, key);
        try (RunningServer server = RunningServer.with(settings())) {
            assertThat(ask(server, rsa, version).statusCode()).isEqualTo(200);

            other.write(certificate, key);
            Await.until("the second is used", () -> isServed(server, other));

            assertThat(ask(server, other, version).statusCode()).isEqualTo(200);
        }
    }

    /** Vert.x would have no certificate for a moment if it were told of the new one. */
    @Test
    void noConnectionFailsWhileTheCertificateIsRenewed() throws Exception {
        TestCertificate.make("first").write(certificate, key);
        try (RunningServer server = RunningServer.with(settings())) {
            assertThat(subject(server)).isEqualTo("CN=first");
            TestCertificate.make("second").write(certificate, key);

            Await.until("the second is used", () -> subject(server).equals("CN=second"));
        }
    }

    private static String subject(RunningServer server) throws Exception {
        SSLContext any = SSLContext.getInstance("TLS");
        any.init(null, new TrustManager[] {new TrustsAny()}, null);
        try (SSLSocket socket = (SSLSocket) any.getSocketFactory().createSocket("127.0.0.1", server.port())) {
            socket.startHandshake();
            X509Certificate used = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return used.getSubjectX500Principal().getName();
        }
    }

    private static boolean isServed(RunningServer server, TestCertificate trusted) throws Exception {
        try {
            return ask(server, trusted).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void aFileThatIsMissingFailsTheStart() {
        assertThatThrownBy(() -> RunningServer.with(settings()))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The TLS files can't be used: distributedid.server.tls.certificate="
                        + certificate + " distributedid.server.tls.key=" + key
                        + ", allowed: a PEM file with a certificate and its chain;");
    }

    @Test
    void filesThatDoNotFitFailTheStart() throws Exception {
        TestCertificate.make("first").write(certificate, folder.resolve("other.key"));
        Files.writeString(key, "no key");

        assertThatThrownBy(() -> RunningServer.with(settings()))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("a PEM file with the private key, PKCS#8, not encrypted")
                .hasMessageContaining("there is no BEGIN PRIVATE KEY");
    }

    @Test
    void oneFileAloneFailsTheStart() {
        Map<String, Object> settings = settings();
        settings.remove("server.tls.key");

        assertThatThrownBy(() -> RunningServer.with(settings))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting is missing: distributedid.server.tls.key, allowed: a PEM file with the private"
                        + " key, PKCS#8, not encrypted. TLS needs both files");
    }

    /** Then others may reach the server without --insecure. */
    @Test
    void tokensAndTlsTogetherOpenTheServerToOthers() throws Exception {
        TestCertificate.make("first").write(certificate, key);
        Map<String, Object> settings = settings();
        settings.put("server.host", "0.0.0.0");
        assertThatThrownBy(() -> RunningServer.with(settings))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("unless there are tokens (distributedid.server.token.NAME.hash) and TLS");

        settings.put("server.token.web.hash", Access.hash("x"));
        settings.put("server.token.web.sequences", "*");
        try (RunningServer server = RunningServer.with(settings)) {
            assertThat(server.server().url()).startsWith("https://0.0.0.0:");
        }
    }

    /** Of a client that only looks. */
    private static final class TrustsAny implements X509TrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {
            // Any.
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {
            // Any.
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
