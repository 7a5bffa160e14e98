package io.distributedid.internal.keyed.row;

import java.nio.charset.StandardCharsets;

/**
 * The hash that decides on which server the row of a key is: FNV-1a with 64 bits over the bytes in UTF-8, then the
 * finaliser of MurmurHash3, without which the low bits of short keys are uneven. It must never change: another hash
 * would look for a key on another server, and begin at 1 again.
 */
final class KeyHash {

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;

    private static final long FNV_PRIME = 0x100000001b3L;

    private KeyHash() {}

    static long of(String key) {
        long hash = FNV_OFFSET;
        for (byte each : key.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (each & 0xff)) * FNV_PRIME;
        }
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return hash ^ hash >>> 33;
    }

    static int server(long hash, int servers) {
        return (int) Math.floorMod(hash, (long) servers);
    }
}
