package io.distributedid.server;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A certificate and its key, which fit each other. Without this check, the middle of a change, when one file is new and
 * the other is not, would break all new connections.
 *
 * @param chain the certificate, then those of its issuers
 * @param key of the certificate
 */
record TlsIdentity(List<X509Certificate> chain, PrivateKey key) {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private static final byte[] CHALLENGE = "distributedid".getBytes(StandardCharsets.US_ASCII);

    TlsIdentity {
        chain = List.copyOf(chain);
    }

    /**
     * Reads the texts of both files.
     *
     * @throws GeneralSecurityException if a text is not as described, or the key is that of another certificate
     */
    static TlsIdentity of(TlsFiles.Content content) throws GeneralSecurityException {
        List<X509Certificate> chain = CertificateFactory.getInstance("X.509")
                .generateCertificates(
                        new ByteArrayInputStream(content.certificate().getBytes(StandardCharsets.UTF_8)))
                .stream()
                .map(X509Certificate.class::cast)
                .toList();
        if (chain.isEmpty()) {
            throw new GeneralSecurityException("there is no certificate");
        }
        Matcher found = KEY.matcher(content.key());
        if (!found.find()) {
            throw new GeneralSecurityException("there is no BEGIN PRIVATE KEY; openssl pkcs8 -topk8 -nodes makes one");
        }
        PublicKey publicKey = chain.get(0).getPublicKey();
        PrivateKey key = KeyFactory.getInstance(publicKey.getAlgorithm())
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(1))));
        requireFit(publicKey, key);
        return new TlsIdentity(chain, key);
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

    /** Omits the key. */
    @Override
    public String toString() {
        return chain.get(0).getSubjectX500Principal() + " until "
                + chain.get(0).getNotAfter().toInstant();
    }
}
