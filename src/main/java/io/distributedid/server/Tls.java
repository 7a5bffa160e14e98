package io.distributedid.server;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of the server and its key, each in a PEM file. The files are read again when they have changed, and
 * each new connection gets the certificate that is in use when it begins. While the files do not fit each other, as in
 * the middle of a change, the former ones stay in use: otherwise all new connections would break.
 *
 * <p>TLS asks for the certificate at each handshake, so Vert.x is never told of a new one: its own update leaves a
 * server without TLS for a moment. One thread at a time loads; any may ask.
 */
final class Tls extends X509ExtendedKeyManager {

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

    /** @param name by which a handshake asks for the key after it has chosen the certificate */
    private record Identity(String name, X509Certificate[] chain, PrivateKey key) {}

    private final Path certificate;

    private final Path key;

    /** The texts of both files, in use or refused, or why there are none: each change is tried once. */
    private List<String> last = List.of();

    /** By their names. A handshake may have begun with a former one. */
    private final Map<String, Identity> all = new ConcurrentHashMap<>();

    private volatile @Nullable Identity current;

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
    void load() {
        try {
            last = read();
            use(identity(last));
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            throw new IdConfigurationException(
                    "The files of TLS can't be used: " + this + ", allowed: " + CERTIFICATE.allowed() + "; "
                            + KEY.allowed() + " (" + e + ")",
                    e);
        }
    }

    /** Takes changed files in use. Connections that exist keep the former certificate. */
    void reload() {
        List<String> before = last;
        try {
            last = read();
            if (!last.equals(before)) {
                use(identity(last));
                LOG.log(Level.INFO, "The certificate was renewed: {0}", this);
            }
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            if (e instanceof IOException) {
                last = List.of(e.toString());
            }
            if (!last.equals(before)) {
                LOG.log(
                        Level.WARNING,
                        "The files of TLS have changed, and can't be used. The former ones stay in use: " + this + ". "
                                + e);
            }
        }
    }

    private void use(Identity renewed) {
        all.put(renewed.name, renewed);
        current = renewed;
    }

    private List<String> read() throws IOException {
        return List.of(Files.readString(certificate), Files.readString(key));
    }

    /** Takes the certificates as they are: clients accept those that are not in order. */
    private static Identity identity(List<String> texts) throws GeneralSecurityException {
        X509Certificate[] chain = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(texts.get(0).getBytes(StandardCharsets.UTF_8)))
                .toArray(new X509Certificate[0]);
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
        return new Identity(UUID.randomUUID().toString(), chain, privateKey);
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

    /** @param type an algorithm of keys that the client can check */
    @Override
    public @Nullable String chooseEngineServerAlias(
            String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        Identity used = current;
        return used != null && used.key.getAlgorithm().equals(type) ? used.name : null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String name) {
        Identity found = all.get(name);
        return found == null ? null : found.chain.clone();
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String name) {
        Identity found = all.get(name);
        return found == null ? null : found.key;
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return chooseEngineServerAlias(type, issuers, null);
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
        String name = chooseEngineServerAlias(type, issuers, null);
        return name == null ? null : new String[] {name};
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    @Override
    public String toString() {
        return CERTIFICATE + "=" + certificate + " " + KEY + "=" + key;
    }
}
