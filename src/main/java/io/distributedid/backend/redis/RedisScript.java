package io.distributedid.backend.redis;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.codec.Base16;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

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

    /** Compares fields of the ledger, and changes others and the counter. */
    static final RedisScript<String> CHANGE = of(ScriptOutputType.VALUE, "common.lua", "change.lua");

    private static <T> RedisScript<T> of(ScriptOutputType output, String... files) {
        StringBuilder text = new StringBuilder();
        for (String file : files) {
            try (InputStream in = RedisScript.class.getResourceAsStream(file)) {
                text.append(new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        byte[] source = text.toString().getBytes(StandardCharsets.UTF_8);
        return new RedisScript<>(text.toString(), Base16.digest(source), output);
    }
}
