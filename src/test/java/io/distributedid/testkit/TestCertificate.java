package io.distributedid.testkit;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.HexFormat;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for 127.0.0.1 and localhost that was made for a test, and its key. It is put together here: the JDK has
 * no API for that, and its tool takes a second.
 */
public final class TestCertificate {

    private static final String ALIAS = "server";

    private static final char[] PASSWORD = "only-for-tests".toCharArray();

    private static final int SEQUENCE = 0x30;

    private static final byte[] ECDSA_WITH_SHA256 = hex("300a06082a8648ce3d040302");

    private static final byte[] RSA_WITH_SHA256 = hex("300d06092a864886f70d01010b0500");

    private static final byte[] VALIDITY = der(SEQUENCE, text(0x17, "250101000000Z"), text(0x17, "491231235959Z"));

    /** The names of the server: an IP address, and a name. */
    private static final byte[] EXTENSIONS = der(
            0xa3,
            der(
                    SEQUENCE,
                    der(
                            SEQUENCE,
                            hex("0603551d11"),
                            der(0x04, der(SEQUENCE, hex("87047f000001"), text(0x82, "localhost"))))));

    private final Certificate certificate;

    private final PrivateKey key;

    private TestCertificate(Certificate certificate, PrivateKey key) {
        this.certificate = certificate;
        this.key = key;
    }

    /** Makes a certificate that is signed with its own key. */
    public static TestCertificate make(String name) throws GeneralSecurityException {
        return make(name, "EC", 256, "SHA256withECDSA", ECDSA_WITH_SHA256);
    }

    /** The same, with a key of RSA. */
    public static TestCertificate makeRsa(String name) throws GeneralSecurityException {
        return make(name, "RSA", 2_048, "SHA256withRSA", RSA_WITH_SHA256);
    }

    private static TestCertificate make(String name, String keyType, int size, String signing, byte[] identifier)
            throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(keyType);
        generator.initialize(size);
        KeyPair keys = generator.generateKeyPair();
        byte[] common = der(SEQUENCE, der(0x31, der(SEQUENCE, hex("0603550403"), text(0x0c, name))));
        byte[] content = der(
                SEQUENCE,
                hex("a003020102" + "020101"),
                identifier,
                common,
                VALIDITY,
                common,
                keys.getPublic().getEncoded(),
                EXTENSIONS);
        Signature signature = Signature.getInstance(signing);
        signature.initSign(keys.getPrivate());
        signature.update(content);
        byte[] signed = der(SEQUENCE, content, identifier, der(0x03, new byte[1], signature.sign()));
        Certificate certificate =
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(signed));
        return new TestCertificate(certificate, keys.getPrivate());
    }

    private static byte[] hex(String bytes) {
        return HexFormat.of().parseHex(bytes);
    }

    private static byte[] text(int tag, String text) {
        return der(tag, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** A value of ASN.1, of up to 65,535 bytes. */
    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.write(tag);
        if (content.size() > 255) {
            value.write(0x82);
            value.write(content.size() >> 8);
        } else if (content.size() > 127) {
            value.write(0x81);
        }
        value.write(content.size());
        value.writeBytes(content.toByteArray());
        return value.toByteArray();
    }

    public void write(Path certificateFile, Path keyFile) throws IOException, GeneralSecurityException {
        Files.writeString(keyFile, pem("PRIVATE KEY", key.getEncoded()));
        Files.writeString(certificateFile, pem("CERTIFICATE", certificate.getEncoded()));
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + what + "-----\n";
    }

    /** For a server that shows this certificate. */
    public SSLContext identity() throws IOException, GeneralSecurityException {
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        own.setKeyEntry(ALIAS, key, PASSWORD, new Certificate[] {certificate});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    /** For a client that trusts this certificate, and no other. */
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
