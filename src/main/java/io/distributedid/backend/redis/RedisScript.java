package io.distributedid.backend.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A Lua script, which Redis runs as one step.
 *
 * @param text its source
 * @param digest names it to a server that knows it
 */
record RedisScript(String text, String digest) {

    /** Compares the record and draws a block. */
    static final RedisScript DRAW = of("draw.lua");

    /** Compares the record and changes it and the counter. */
    static final RedisScript CHANGE = of("change.lua");

    /** Reads the identity of the server that holds a key. */
    static final RedisScript IDENTITY = of("identity.lua");

    private static RedisScript of(String file) {
        try (InputStream in = RedisScript.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("Missing in the jar: " + file);
            }
            byte[] bytes = in.readAllBytes();
            return new RedisScript(
                    new String(bytes, StandardCharsets.UTF_8),
                    HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
