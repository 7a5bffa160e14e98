package io.distributedid.internal.service;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON that an issuing service answers: objects, arrays, texts, whole numbers of 64 bits, {@code true},
 * {@code false} and {@code null}. Refuses all else, also what other readers let pass: fractions, a name twice in an
 * object, more than {@value #DEEPEST} levels, bytes that are no UTF-8, and text after the end.
 *
 * <p>Objects become maps in their order, arrays lists, numbers {@link Long}s.
 */
public final class Json {

    static final int DEEPEST = 8;

    private final String text;

    private int at;

    private Json(String text) {
        this.text = text;
    }

    /**
     * Reads one value.
     *
     * @throws IllegalArgumentException if the bytes are no such JSON; the message says where
     */
    public static @Nullable Object read(byte[] utf8) {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("no UTF-8", e);
        }
        Json json = new Json(text);
        Object value = json.value(0);
        json.skipSpace();
        if (json.at < text.length()) {
            throw json.wrong("the end");
        }
        return value;
    }

    private @Nullable Object value(int depth) {
        skipSpace();
        if (depth > DEEPEST) {
            throw wrong("at most " + DEEPEST + " levels");
        }
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        skipSpace();
        if (isNext('}')) {
            return members;
        }
        do {
            skipSpace();
            int begin = at;
            String name = string();
            if (members.containsKey(name)) {
                at = begin;
                throw wrong("each name once");
            }
            skipSpace();
            require(':');
            members.put(name, value(depth + 1));
            skipSpace();
        } while (isNext(','));
        require('}');
        return members;
    }

    private List<Object> array(int depth) {
        List<Object> elements = new ArrayList<>();
        at++;
        skipSpace();
        if (isNext(']')) {
            return elements;
        }
        do {
            elements.add(value(depth + 1));
            skipSpace();
        } while (isNext(','));
        require(']');
        return elements;
    }

    private String string() {
        require('"');
        StringBuilder read = new StringBuilder();
        for (char next = peek(); next != '"'; next = peek()) {
            if (next < ' ') {
                throw wrong("no control character");
            }
            at++;
            read.append(next == '\\' ? escaped() : next);
        }
        at++;
        return read.toString();
    }

    private char escaped() {
        char next = peek();
        at++;
        return switch (next) {
            case '"', '\\', '/' -> next;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> {
                at--;
                throw wrong("an escape");
            }
        };
    }

    private char unicode() {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            char next = peek();
            // Other digits of Unicode are digits too for Character.digit.
            int digit = next < 128 ? Character.digit(next, 16) : -1;
            if (digit < 0) {
                throw wrong("four hexadecimal digits");
            }
            value = value * 16 + digit;
            at++;
        }
        return (char) value;
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong("a value");
        }
        at += word.length();
        return value;
    }

    private Long number() {
        int begin = at;
        while (at < text.length() && "+-.0123456789Ee".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        Long value = whole(text.substring(begin, at));
        if (value == null) {
            at = begin;
            throw wrong("a whole number of 64 bits or another value");
        }
        return value;
    }

    /** Null if this is not how a whole number of 64 bits is written: without plus and leading zeros. */
    public static @Nullable Long whole(String text) {
        try {
            long value = Long.parseLong(text);
            return Long.toString(value).equals(text) ? value : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("more");
        }
        return text.charAt(at);
    }

    private boolean isNext(char wanted) {
        if (peek() != wanted) {
            return false;
        }
        at++;
        return true;
    }

    private void require(char wanted) {
        if (!isNext(wanted)) {
            throw wrong("'" + wanted + "'");
        }
    }

    private IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException(
                "no JSON of an issuing service at character " + at + ": expected " + expected);
    }
}
