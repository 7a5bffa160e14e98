package io.distributedid.server;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.SSLOptions;
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
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;

/**
 * The certificate of the server and its key, each in a PEM file. The files are read again when they have changed. While
 * they do not fit each other, as in the middle of a change, the former ones stay in use: otherwise all new connections
 * would break. Belongs to one thread at a time.
 */
final class Tls {

    static final Setting<String> CERTIFICATE = Setting.text(
            "distributedid.server.tls.certificate",
            "The certificate by which clients know the server. With it, the server speaks HTTPS.",
            "a PEM file with a certificate and its chain");

    static final Setting<String> KEY = Setting.text(
            "distributedid.server.tls.key",
            "The private key of the certificate.",
            "a PEM file with the private key, PKCS#8, not encrypted");

    private static final Logger LOG = System.getLogger(Tls.class.getName());

    private static final Pattern KEY_TEXT =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private static final byte[] CHALLENGE = "distributedid".getBytes(StandardCharsets.US_ASCII);

    private final Path certificate;

    private final Path key;

    /** The texts of both files that are in use, or refused: each change is tried once. */
    private List<String> last = List.of();

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
        if (settings.find(CERTIFICATE).isEmpty() && settings.find(KEY).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Tls(
                Path.of(settings.require(CERTIFICATE, "TLS needs both files")),
                Path.of(settings.require(KEY, "TLS needs both files"))));
    }

    /** @throws IdConfigurationException if the files can't be used */
    KeyCertOptions first() {
        try {
            last = read();
            return keys(last);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new IdConfigurationException(
                    "The files of TLS can't be used: " + this + ", allowed: " + CERTIFICATE.allowed() + "; "
                            + KEY.allowed() + " (" + e + ")",
                    e);
        }
    }

    /** Takes changed files in use. Connections that exist keep the former certificate. */
    void reload(Vertx vertx, HttpServer server) {
        vertx.executeBlocking(this::renewed)
                .compose(keys -> keys.map(each -> server.updateSSLOptions(
                                new SSLOptions().setUseAlpn(true).setKeyCertOptions(each), true))
                        .orElse(Future.succeededFuture(false)))
                .onSuccess(isRenewed -> {
                    if (isRenewed) {
                        LOG.log(Level.INFO, "The certificate was renewed: {0}", this);
                    }
                })
                .onFailure(e -> LOG.log(
                        Level.WARNING,
                        "The files of TLS have changed, and can't be used. The former ones stay in use: " + this + ". "
                                + e.getMessage()));
    }

    /** Empty if the files have not changed. */
    private Optional<KeyCertOptions> renewed() throws GeneralSecurityException, IOException {
        List<String> read;
        try {
            read = read();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "The files of TLS can't be read now: " + this, e);
            return Optional.empty();
        }
        if (read.equals(last)) {
            return Optional.empty();
        }
        last = read;
        return Optional.of(keys(read));
    }

    private List<String> read() throws IOException {
        return List.of(Files.readString(certificate), Files.readString(key));
    }

    private static KeyCertOptions keys(List<String> texts) throws IOException, GeneralSecurityException {
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
        char[] noPassword = {};
        // Takes the certificates as they are. PKCS12 refuses those that are not in order, which clients accept.
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, noPassword);
        store.setKeyEntry("tls", privateKey, noPassword, chain);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, noPassword);
        return KeyCertOptions.wrap(factory);
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
            throw new GeneralSecurityException("the key is that of another certificate");
        }
    }

    @Override
    public String toString() {
        return CERTIFICATE + "=" + certificate + " " + KEY + "=" + key;
    }
}
