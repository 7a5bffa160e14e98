package io.distributedid.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for 127.0.0.1 that was made for a test, and its key. */
public final class TestCertificate {

    private static final String PASSWORD = "only-for-tests";

    private static final String ALIAS = "server";

    private final Certificate certificate;

    private final Key key;

    private TestCertificate(Certificate certificate, Key key) {
        this.certificate = certificate;
        this.key = key;
    }

    /** Makes a certificate with the tool of the JDK. */
    public static TestCertificate make(Path folder, String name) throws IOException, GeneralSecurityException {
        Path store = Files.createTempDirectory(folder, "keys").resolve("keys.p12");
        Process tool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        // It soon ends: the quick compiler is enough.
                        "-J-XX:TieredStopAtLevel=1",
                        "-J-XX:+UseSerialGC",
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=ip:127.0.0.1"))
                .redirectErrorStream(true)
                .start();
        String printed = new String(tool.getInputStream().readAllBytes());
        try {
            if (!tool.waitFor(2, TimeUnit.MINUTES) || tool.exitValue() != 0) {
                throw new IOException("keytool failed: " + printed);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return new TestCertificate(keys.getCertificate(ALIAS), keys.getKey(ALIAS, PASSWORD.toCharArray()));
    }

    public void write(Path certificateFile, Path keyFile) throws IOException, GeneralSecurityException {
        Files.writeString(keyFile, pem("PRIVATE KEY", key.getEncoded()));
        Files.writeString(certificateFile, pem("CERTIFICATE", certificate.getEncoded()));
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + what + "-----\n";
    }

    /** Trusts this certificate, and no other. */
    public SSLContext trust() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, certificate);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
