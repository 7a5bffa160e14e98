package io.distributedid.server;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The parameters of a request. Unknown, repeated and empty ones are refused, and so are values out of range: a caller
 * that misspells {@code n} must not get one id instead of a hundred. Immutable.
 */
final class Query {

    /** JavaScript and others read larger numbers as their neighbours. */
    private static final long LARGEST_EXACT = (1L << 53) - 1;

    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,18}");

    private final Map<String, String> values;

    private Query(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Parses the parameters of an address or a form.
     *
     * @param text such as {@code n=5&as=number}
     * @param known the names that the operation knows
     * @param isStrict whether others and empty ones are refused; clients of other products expect that they are ignored
     */
    static Query of(String text, List<String> known, boolean isStrict) {
        Map<String, String> values = new HashMap<>();
        if (text.isEmpty()) {
            return new Query(values);
        }
        for (String parameter : text.split("&", -1)) {
            int equals = parameter.indexOf('=');
            String name = decoded(equals < 0 ? parameter : parameter.substring(0, equals));
            String value = equals < 0 ? "" : decoded(parameter.substring(equals + 1));
            if (!known.contains(name)) {
                if (isStrict) {
                    throw refusal("There is no such parameter: " + Problem.quoted(name) + ". "
                            + (known.isEmpty() ? "This path takes none" : "Allowed: " + String.join(", ", known)));
                }
            } else if (!value.isEmpty()) {
                if (values.put(name, value) != null) {
                    throw refusal("A parameter is repeated: " + name + ". Give it once");
                }
            } else if (isStrict) {
                throw refusal("A parameter has no value: " + name + ". Give it one, or leave it out if it has a"
                        + " default");
            }
        }
        return new Query(values);
    }

    private static String decoded(String text) {
        return decoded(text.replace('+', ' '), "A parameter");
    }

    /**
     * Decodes {@code %C3%A4}. Repairs nothing: what is not well-formed UTF-8 has no meaning.
     *
     * @param what it is, for the message
     * @throws Problem if a percent sign is not followed by two hexadecimal digits, or the bytes are not UTF-8
     */
    static String decoded(String text, String what) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        // Netty replaces what is not well-formed. With a character for each byte, nothing is.
        String written =
                new String(text.replace("+", "%2B").getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        try {
            byte[] bytes = QueryStringDecoder.decodeComponent(written, StandardCharsets.ISO_8859_1)
                    .getBytes(StandardCharsets.ISO_8859_1);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw refusal(what + " is not well-formed: " + Problem.quoted(text) + ", allowed: percent-encoded UTF-8");
        }
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name));
    }

    String required(String name) {
        return text(name)
                .orElseThrow(() ->
                        refusal("A parameter is missing: " + name + ". Send it in the query string: ?" + name + "=42"));
    }

    /** A whole number from 1 to {@code most}. */
    int number(String name, int byDefault, int most) {
        String text = values.get(name);
        return text == null ? byDefault : (int) number(name, text, most);
    }

    /** A whole number from 1 to {@code most}, as it was written. */
    static long number(String name, String text, long most) {
        // More than a long has is negative.
        long number = NUMBER.matcher(text).matches() ? Long.parseUnsignedLong(text) : 0;
        if (number < 1 || number > most) {
            throw notAllowed(name, text, "a number from 1 to " + most);
        }
        return number;
    }

    /** Whether a parameter has the second of two words; the first is the default. */
    boolean isSecond(String name, String first, String second) {
        String text = values.getOrDefault(name, first);
        if (!text.equals(first) && !text.equals(second)) {
            throw notAllowed(name, text, first + ", " + second);
        }
        return text.equals(second);
    }

    /** Whether ids and numbers are written as numbers and not as texts. */
    boolean asNumbers() {
        return isSecond("as", "string", "number");
    }

    /** Refuses an id, or a number of a key, that readers of JSON would round. */
    static void requireExact(long number) {
        if (number > LARGEST_EXACT) {
            throw notAllowed(
                    "as",
                    "number",
                    "string. The numbers are at " + number + ", and many JSON readers round numbers above "
                            + LARGEST_EXACT
                            + ", so that two become one. The numbers of this request are not used");
        }
    }

    static Problem notAllowed(String name, String value, String allowed) {
        return refusal("A parameter has a value that is not allowed: " + name + "=" + Problem.quoted(value)
                + ", allowed: " + allowed);
    }

    private static Problem refusal(String detail) {
        return new Problem(ProblemType.INVALID_PARAMETER, detail);
    }
}
