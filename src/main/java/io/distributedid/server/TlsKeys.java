package io.distributedid.server;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Gives each new connection the certificate that is in use. A handshake asks several times, by an alias; so it ends
 * with the certificate that it began with, if that is the current one or the one before. Thread-safe.
 */
final class TlsKeys extends X509ExtendedKeyManager {

    private record Numbered(
            int number, TlsIdentity identity, @Nullable TlsIdentity former) {}

    private final AtomicReference<Numbered> current;

    TlsKeys(TlsIdentity first) {
        current = new AtomicReference<>(new Numbered(0, first, null));
    }

    void use(TlsIdentity next) {
        current.updateAndGet(now -> new Numbered(now.number() + 1, next, now.identity()));
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        Numbered now = current.get();
        return now.identity().key().getAlgorithm().equals(keyType) ? Integer.toString(now.number()) : null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return chooseEngineServerAlias(keyType, issuers, null);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        String alias = chooseEngineServerAlias(keyType, issuers, null);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        TlsIdentity found = find(alias);
        return found == null ? null : found.chain().toArray(new X509Certificate[0]);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        TlsIdentity found = find(alias);
        return found == null ? null : found.key();
    }

    private @Nullable TlsIdentity find(String alias) {
        Numbered now = current.get();
        if (alias.equals(Integer.toString(now.number()))) {
            return now.identity();
        }
        return alias.equals(Integer.toString(now.number() - 1)) ? now.former() : null;
    }

    /** The server opens no connections. */
    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
