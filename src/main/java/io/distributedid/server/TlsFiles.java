package io.distributedid.server;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;

/**
 * The files of TLS, both PEM.
 *
 * @param certificate with the certificates of its issuers behind it
 * @param key its private key
 */
record TlsFiles(Path certificate, Path key) {

    static final Setting<String> CERTIFICATE = Setting.text(
            "distributedid.server.tls.certificate",
            "The certificate by which clients know the server. With it, the server speaks HTTPS.",
            "a PEM file with a certificate and its chain");

    static final Setting<String> KEY = Setting.text(
            "distributedid.server.tls.key",
            "The private key of the certificate.",
            "a PEM file with the private key, PKCS#8, not encrypted");

    /**
     * What stands in the files.
     *
     * @param certificate PEM
     * @param key PEM; a secret
     */
    record Content(String certificate, String key) {

        /** Omits the key. */
        @Override
        public String toString() {
            return "the files of TLS";
        }
    }

    /**
     * The files that the settings name.
     *
     * @return empty without TLS
     * @throws IdConfigurationException if only one is set
     */
    static Optional<TlsFiles> of(Settings settings) {
        Optional<String> certificate = settings.find(CERTIFICATE);
        Optional<String> key = settings.find(KEY);
        if (certificate.isEmpty() && key.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new TlsFiles(
                Path.of(certificate.orElseThrow(() -> settings.missing(CERTIFICATE, "TLS needs both files"))),
                Path.of(key.orElseThrow(() -> settings.missing(KEY, "TLS needs both files")))));
    }

    Content read() throws IOException {
        return new Content(Files.readString(certificate), Files.readString(key));
    }

    /** @throws IdConfigurationException if the files can't be used */
    TlsIdentity identity() {
        try {
            return TlsIdentity.of(read());
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new IdConfigurationException(
                    "The files of TLS can't be used: " + CERTIFICATE + "=" + certificate + " " + KEY + "=" + key
                            + ", allowed: " + CERTIFICATE.allowed() + "; " + KEY.allowed() + " (" + e + ")",
                    e);
        }
    }
}
