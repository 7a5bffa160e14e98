package io.distributedid.backend.redis;

import io.lettuce.core.ScriptOutputType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A Lua script, which Redis runs as one step.
 *
 * @param text its source
 * @param digest names it to a server that knows it
 * @param output what it returns
 * @param <T> the type of that
 */
record RedisScript<T>(String text, String digest, ScriptOutputType output) {

    /** Reads a counter, its ledger, and which server holds them. */
    static final RedisScript<List<?>> LOOK = of(ScriptOutputType.MULTI, "look.lua");

    /** Compares the row of a counter, and draws a block. */
    static final RedisScript<String> DRAW = of(ScriptOutputType.VALUE, "common.lua", "draw.lua");

    /** Compares a field of the ledger, and changes it, others and the counter. */
    static final RedisScript<String> CHANGE = of(ScriptOutputType.VALUE, "common.lua", "change.lua");

    private static <T> RedisScript<T> of(ScriptOutputType output, String... files) {
        String text = Arrays.stream(files).map(RedisScript::read).collect(Collectors.joining());
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return new RedisScript<>(text, HexFormat.of().formatHex(digest), output);
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
