package io.distributedid.server;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files of TLS again when they have changed, so that a certificate is renewed without a restart. Connections
 * that exist keep the former one. While the files do not fit each other, as in the middle of a change, the former ones
 * stay in use. Thread-safe.
 */
final class TlsReload {

    private static final Logger LOG = System.getLogger(TlsReload.class.getName());

    private final TlsFiles files;

    private final TlsKeys keys;

    private final ReentrantLock lock = new ReentrantLock();

    /** In use, or refused: each change is tried once. Null before the first check. Guarded by {@code lock}. */
    private TlsFiles.@Nullable Content last;

    TlsReload(TlsFiles files, TlsKeys keys) {
        this.files = files;
        this.keys = keys;
    }

    /** Takes a changed certificate in use. */
    void check() {
        lock.lock();
        try {
            TlsFiles.Content read = files.read();
            if (!read.equals(last)) {
                boolean isFirst = last == null;
                last = read;
                take(read, isFirst);
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "The files of TLS can't be read now: " + files, e);
        } finally {
            lock.unlock();
        }
    }

    private void take(TlsFiles.Content read, boolean isFirst) {
        try {
            TlsIdentity next = TlsIdentity.of(read);
            keys.use(next);
            if (!isFirst) {
                LOG.log(Level.INFO, "The certificate was renewed: {0}", next);
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            LOG.log(
                    Level.WARNING,
                    "The files of TLS have changed, and can't be used. The former ones stay in use: " + files + ". "
                            + e.getMessage());
        }
    }
}
