package io.distributedid.internal.service;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An object that an issuing service answers in JSON, whose members are read as the type that they must have. Other
 * members are allowed: a newer service may answer more. Every method throws {@link IllegalArgumentException} if a
 * member has another type.
 *
 * <p>Known are objects, arrays, texts, whole numbers of 64 bits, {@code true}, {@code false} and {@code null}. All else
 * is refused, also what other readers let pass: fractions, a name twice in an object, more than {@value #DEEPEST}
 * levels, bytes that are no UTF-8, and text after the end.
 */
public record Json(Map<?, ?> members) {

    static final int DEEPEST = 8;

    /** A sign, a text, a whole number, a word, or the end. */
    private static final Pattern TOKEN = Pattern.compile("[ \\t\\r\\n]*+([{}\\[\\]:,]"
            + "|\"(?:[^\"\\\\\\x00-\\x1F]|\\\\(?:[\"\\\\/bfnrt]|u[0-9A-Fa-f]{4}))*+\""
            + "|-?[0-9]++|true|false|null|\\z)");

    private static final Pattern ESCAPE = Pattern.compile("\\\\(u.{4}|.)");

    /** Reads the one object of an answer. */
    public static Json read(byte[] utf8) {
        return object(value(utf8), "the answer");
    }

    /**
     * Reads any value. Objects become maps in their order, arrays lists, numbers {@link Long}s.
     *
     * @throws IllegalArgumentException if the bytes are no such JSON; the message says where
     */
    public static @Nullable Object value(byte[] utf8) {
        try {
            return new Reader(StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(utf8))
                            .toString())
                    .all();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("no UTF-8", e);
        }
    }

    public String text(String name) {
        return find(name).orElseThrow(() -> missing(name));
    }

    /** A text; empty if there is no such member. */
    public Optional<String> find(String name) {
        return find(name, String.class, "a text");
    }

    /** A number that is written as text, since JavaScript knows only 53 bits. */
    public long id(String name) {
        return findId(name).orElseThrow(() -> missing(name));
    }

    public Optional<Long> findId(String name) {
        return find(name).map(text -> id(name, text));
    }

    /** A number of 0 or more. */
    public Optional<Long> findCount(String name) {
        Optional<Long> number = find(name, Long.class, "a number from 0");
        if (number.orElse(0L) < 0) {
            throw wrong(name, "a number from 0");
        }
        return number;
    }

    public Optional<Json> findObject(String name) {
        return find(name, Map.class, "an object").map(Json::new);
    }

    /** The members, each of which is an id. */
    public Map<String, Long> allIds() {
        Map<String, Long> all = new LinkedHashMap<>();
        members.keySet().forEach(name -> all.put(name.toString(), id(name.toString())));
        return all;
    }

    public List<Long> ids(String name) {
        return list(name, each -> id(name, each));
    }

    public List<Json> objects(String name) {
        return list(name, each -> object(each, name));
    }

    private <T> List<T> list(String name, Function<Object, T> element) {
        if (members.get(name) instanceof List<?> list) {
            return list.stream().map(element::apply).toList();
        }
        throw wrong(name, "an array");
    }

    private <T> Optional<T> find(String name, Class<T> type, String expected) {
        return members.containsKey(name)
                ? Optional.of(cast(name, members.get(name), type, expected))
                : Optional.empty();
    }

    private static <T> T cast(String name, @Nullable Object value, Class<T> type, String expected) {
        if (!type.isInstance(value)) {
            throw wrong(name, expected);
        }
        return type.cast(value);
    }

    private static long id(String name, @Nullable Object value) {
        Long id = value instanceof String text ? whole(text) : null;
        if (id == null) {
            throw wrong(name, "a number in quotes: " + value);
        }
        return id;
    }

    private static Json object(@Nullable Object value, String what) {
        if (value instanceof Map<?, ?> members) {
            return new Json(members);
        }
        throw new IllegalArgumentException(what + " is not an object");
    }

    /** Null if this is not how a whole number of 64 bits is written: without plus and leading zeros. */
    private static @Nullable Long whole(String text) {
        try {
            long value = Long.parseLong(text);
            return Long.toString(value).equals(text) ? value : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static IllegalArgumentException wrong(String name, String expected) {
        return new IllegalArgumentException(name + " must be " + expected);
    }

    private static IllegalArgumentException missing(String name) {
        return new IllegalArgumentException(name + " is missing");
    }

    /** Goes through a text. */
    private static final class Reader {

        private final Matcher tokens;

        /** The next one; empty at the end. */
        private String token;

        Reader(String text) {
            tokens = TOKEN.matcher(text);
            token = next();
        }

        @Nullable
        Object all() {
            Object value = value(0);
            require("");
            return value;
        }

        private String next() {
            if (!tokens.lookingAt()) {
                throw unexpected("a value or one of {}[]:,");
            }
            String next = String.valueOf(tokens.group(1));
            tokens.region(tokens.end(), tokens.regionEnd());
            return next;
        }

        private boolean skip(String expected) {
            boolean isNext = token.equals(expected);
            if (isNext) {
                token = next();
            }
            return isNext;
        }

        private void require(String expected) {
            if (!skip(expected)) {
                throw unexpected(expected.isEmpty() ? "the end" : expected);
            }
        }

        private @Nullable Object value(int depth) {
            if (depth > DEEPEST) {
                throw unexpected("at most " + DEEPEST + " levels");
            }
            if (skip("{")) {
                return object(depth + 1);
            }
            if (skip("[")) {
                return array(depth + 1);
            }
            Object value = switch (token) {
                case "true" -> true;
                case "false" -> false;
                default -> token.startsWith("\"") ? unescaped(token) : whole(token);
            };
            if (value == null && !token.equals("null")) {
                throw unexpected("a whole number of 64 bits or another value");
            }
            token = next();
            return value;
        }

        private Map<String, Object> object(int depth) {
            Map<String, Object> members = new LinkedHashMap<>();
            if (skip("}")) {
                return members;
            }
            do {
                if (!(value(depth) instanceof String name) || members.containsKey(name)) {
                    throw unexpected("a text, each name once");
                }
                require(":");
                members.put(name, value(depth));
            } while (skip(","));
            require("}");
            return members;
        }

        private List<Object> array(int depth) {
            List<Object> elements = new ArrayList<>();
            if (skip("]")) {
                return elements;
            }
            do {
                elements.add(value(depth));
            } while (skip(","));
            require("]");
            return elements;
        }

        private static String unescaped(String quoted) {
            return ESCAPE.matcher(quoted.substring(1, quoted.length() - 1))
                    .replaceAll(each -> Matcher.quoteReplacement(unescapedOne(each.group(), each.group(1))));
        }

        private static String unescapedOne(String written, String escaped) {
            return switch (escaped.charAt(0)) {
                case '/' -> "/";
                case 'u' -> String.valueOf((char) Integer.parseInt(escaped.substring(1), 16));
                default -> written.translateEscapes();
            };
        }

        private IllegalArgumentException unexpected(String expected) {
            return new IllegalArgumentException("not the JSON of an issuing service at character "
                    + tokens.regionStart() + ": expected " + expected);
        }
    }
}
