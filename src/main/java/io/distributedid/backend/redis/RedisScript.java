package io.distributedid.backend.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;

/**
 * A Lua script, which Redis runs as one step.
 *
 * @param text its source
 * @param digest names it to a server that knows it
 */
record RedisScript(String text, String digest) {

    /** Compares the record and draws a block. */
    static final RedisScript DRAW = of("common.lua", "draw.lua");

    /** Compares the record and changes it and the counter. */
    static final RedisScript CHANGE = of("common.lua", "change.lua");

    /** Reads the identity of the server that holds a key. */
    static final RedisScript IDENTITY = of("identity.lua");

    private static RedisScript of(String... files) {
        String text = Arrays.stream(files).map(RedisScript::read).collect(Collectors.joining());
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return new RedisScript(text, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String read(String file) {
        try (InputStream in = RedisScript.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("Missing in the jar: " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
