package io.distributedid.internal.ledger;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The text of a row: {@code token=7f3a increment=2 offset=1 format=1}. In values, {@code %}, {@code =}, white space and
 * control characters are written as their bytes: {@code %20}. Immutable.
 *
 * <p>The row that describes a store, and so is read before all others, has the field {@link #FORMAT}. Its value is
 * {@link #KNOWN_FORMAT}. A process refuses a row with another one, so that a later version of this library can change
 * what rows mean.
 *
 * @param values by the name of the field
 */
public record Fields(Map<String, String> values) {

    /** The number of the format that the rows of a store have. */
    public static final String FORMAT = "format";

    public static final String KNOWN_FORMAT = "1";

    /** Random; tells the store, and with it the id space, from others. See {@link LedgerMemory}. */
    public static final String TOKEN = "token";

    public static final Fields NONE = new Fields(Map.of());

    private static final Pattern NAME = Pattern.compile("[a-z_]+");

    private static final Pattern SPECIAL = Pattern.compile("[%=\\s\\p{Cntrl}]");

    private static final Pattern ESCAPED = Pattern.compile("%([0-9a-f]{2})");

    public Fields {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** With a field, whose earlier value is replaced. */
    public Fields with(String name, Object value) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("A field's name is of letters from a to z and _: name=" + name);
        }
        Map<String, String> next = new LinkedHashMap<>(values);
        next.put(name, value.toString());
        return new Fields(next);
    }

    public Optional<String> get(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** Reads the text of a row; empty if it is no list of fields. */
    static Optional<Fields> parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String field : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
            int end = field.indexOf('=');
            if (end < 1 || values.put(field.substring(0, end), unescaped(field.substring(end + 1))) != null) {
                return Optional.empty();
            }
        }
        return Optional.of(new Fields(values));
    }

    /** All these characters are ASCII, and so one byte each. */
    static String escaped(String value) {
        return SPECIAL.matcher(value)
                .replaceAll(found -> String.format("%%%02x", (int) found.group().charAt(0)));
    }

    static String unescaped(String value) {
        return ESCAPED.matcher(value)
                .replaceAll(
                        found -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 16))));
    }

    /** What to store; empty if there is no field. */
    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(each -> each.getKey() + "=" + escaped(each.getValue()))
                .collect(Collectors.joining(" "));
    }
}
