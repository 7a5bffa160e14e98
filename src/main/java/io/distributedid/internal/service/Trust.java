package io.distributedid.internal.service;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.spi.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trusts servers whose certificates are signed by those of a PEM file, and no others. */
final class Trust {

    private Trust() {}

    /**
     * Reads the file now. A changed file takes effect at the next start.
     *
     * @param setting that names the file
     * @throws IdConfigurationException if it can't be read, or holds no certificate
     */
    static SSLContext in(Setting<String> setting, String file) {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(read(Path.of(file)));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException | InvalidPathException e) {
            throw new IdConfigurationException(
                    "The certificates of an issuing service can't be read: " + setting + "=" + file
                            + ", allowed: " + setting.allowed() + ". Reason: "
                            + FailureText.of(e),
                    e);
        }
    }

    private static KeyStore read(Path file) throws IOException, GeneralSecurityException {
        KeyStore certificates = KeyStore.getInstance(KeyStore.getDefaultType());
        certificates.load(null, null);
        if (!Files.isReadable(file)) {
            throw new IOException("There is no such file, or it can't be read");
        }
        try (InputStream in = Files.newInputStream(file)) {
            int number = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                certificates.setCertificateEntry("trusted" + number++, each);
            }
        }
        if (certificates.size() == 0) {
            throw new IOException("The file holds no certificate");
        }
        return certificates;
    }
}
