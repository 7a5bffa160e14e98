package io.distributedid.server;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Settings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.KeyStore.PasswordProtection;
import java.security.KeyStore.ProtectionParameter;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyStoreBuilderParameters;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of the server and its key, each in a PEM file. The files are read again when they have changed, and
 * each new connection gets the certificate that is in use when it begins. While the files do not fit each other, as in
 * the middle of a change, the former ones stay in use: otherwise all new connections would break.
 *
 * <p>The JDK asks for the store of keys at each handshake, so Vert.x is never told of a new one: its own update leaves
 * a server without TLS for a moment. One thread at a time loads; any may ask.
 */
final class Tls extends KeyStore.Builder {

    private static final Logger LOG = System.getLogger(Tls.class.getName());

    private static final Pattern KEY_TEXT =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private static final byte[] CHALLENGE = "distributedid".getBytes(StandardCharsets.US_ASCII);

    private static final char[] NO_PASSWORD = {};

    private final Path certificate;

    private final Path key;

    /** The texts of both files, in use or refused, or why there are none: each change is tried once. */
    private List<String> last = List.of();

    private volatile @Nullable KeyStore current;

    private Tls(Path certificate, Path key) {
        this.certificate = certificate;
        this.key = key;
    }

    /**
     * The files that the settings name. They are not read yet.
     *
     * @return empty without TLS
     * @throws IdConfigurationException if only one is set
     */
    static Optional<Tls> of(Settings settings) {
        if (settings.find(ServerSettings.CERTIFICATE).isEmpty()
                && settings.find(ServerSettings.KEY).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Tls(
                Path.of(settings.require(ServerSettings.CERTIFICATE, "TLS needs both files")),
                Path.of(settings.require(ServerSettings.KEY, "TLS needs both files"))));
    }

    /**
     * Reads the files.
     *
     * @throws IdConfigurationException if the files can't be used
     */
    KeyManagerFactory load() {
        try {
            last = read();
            current = store(last);
            KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
            keys.init(new KeyStoreBuilderParameters(this));
            return keys;
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            throw new IdConfigurationException(
                    "The TLS files can't be used: " + this + ", allowed: " + ServerSettings.CERTIFICATE.allowed() + "; "
                            + ServerSettings.KEY.allowed() + " (" + e + ")",
                    e);
        }
    }

    /** Takes changed files in use. Connections that exist keep the former certificate. */
    void reload() {
        List<String> before = last;
        try {
            last = read();
            if (!last.equals(before)) {
                current = store(last);
                LOG.log(Level.INFO, "The certificate was renewed: {0}", this);
            }
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            if (e instanceof IOException) {
                last = List.of(e.toString());
            }
            if (!last.equals(before)) {
                LOG.log(
                        Level.WARNING,
                        "The TLS files have changed, and can't be used. The old ones stay in use: " + this + ". " + e);
            }
        }
    }

    private List<String> read() throws IOException {
        return List.of(Files.readString(certificate), Files.readString(key));
    }

    /** Takes the certificates as they are: clients accept those that are not in order. */
    private static KeyStore store(List<String> texts) throws GeneralSecurityException, IOException {
        Certificate[] chain = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(texts.get(0).getBytes(StandardCharsets.UTF_8)))
                .toArray(new Certificate[0]);
        if (chain.length == 0) {
            throw new GeneralSecurityException("there is no certificate");
        }
        Matcher found = KEY_TEXT.matcher(texts.get(1));
        if (!found.find()) {
            throw new GeneralSecurityException("there is no BEGIN PRIVATE KEY; openssl pkcs8 -topk8 -nodes makes one");
        }
        PublicKey publicKey = chain[0].getPublicKey();
        PrivateKey privateKey = KeyFactory.getInstance(publicKey.getAlgorithm())
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(1))));
        requireFit(publicKey, privateKey);
        // Others look at the order of the certificates.
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, NO_PASSWORD);
        store.setKeyEntry("server", privateKey, NO_PASSWORD, chain);
        return store;
    }

    private static void requireFit(PublicKey publicKey, PrivateKey key) throws GeneralSecurityException {
        String algorithm = switch (publicKey.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> publicKey.getAlgorithm();
        };
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(CHALLENGE);
        Signature checking = Signature.getInstance(algorithm);
        checking.initVerify(publicKey);
        checking.update(CHALLENGE);
        if (!checking.verify(signing.sign())) {
            throw new GeneralSecurityException("the key belongs to another certificate");
        }
    }

    @Override
    public KeyStore getKeyStore() {
        return Objects.requireNonNull(current);
    }

    @Override
    public ProtectionParameter getProtectionParameter(String alias) {
        return new PasswordProtection(NO_PASSWORD);
    }

    @Override
    public String toString() {
        return ServerSettings.CERTIFICATE + "=" + certificate + " " + ServerSettings.KEY + "=" + key;
    }
}
