package io.distributedid.spi;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Declares one setting in one place: its name, what it is for, type, range and default. {@link Settings#get} reads it.
 * The known names, the line in the log at start, the metadata for IDEs and the page of settings are made from the
 * declarations. Immutable. The class is long because it has a factory and a parser for each kind of value. The idea is
 * that of Kafka's {@code ConfigDef}.
 *
 * <pre>{@code
 * static final Setting<Duration> TIMEOUT = Setting.duration(
 *         "distributedid.timeout",
 *         "Limits the time to connect to a server, and the time of each of its answers.",
 *         Duration.ofSeconds(2), Duration.ofMillis(100), Duration.ofMinutes(1));
 * }</pre>
 *
 * <p>Each factory takes the name, {@code distributedid.} included, and the description: what the setting is for, in one
 * sentence or two, without default and range.
 *
 * <p>A setting holds for all sequences. With {@link #SEQUENCE_PREFIX} and the name of a sequence in place of
 * {@link #PREFIX} it holds for that sequence alone: {@code distributedid.seq.photos.ticket.table=TicketsPhotos}. An
 * unknown name fails the start.
 *
 * @param <T> the type of its value
 */
public final class Setting<T> {

    /** What every setting begins with. */
    public static final String PREFIX = "distributedid.";

    /** What the settings of one sequence begin with, followed by its name and a dot. */
    public static final String SEQUENCE_PREFIX = PREFIX + "seq.";

    /** How a value is written. */
    public enum Kind {
        /** Any text. */
        TEXT,
        /** A whole number. */
        NUMBER,
        /** {@code 250ms}, {@code 10s}, {@code 5m}, {@code 2h}, or as in ISO 8601. */
        DURATION,
        /** In UTC, as in ISO 8601. */
        INSTANT,
        /** {@code true} or {@code false}. */
        FLAG,
        /** One of several words. */
        CHOICE,
        /** JDBC URLs or JNDI names separated by commas, or objects. */
        SERVERS,
        /** An object, or the name of its class. */
        OBJECT
    }

    private static final Pattern TABLE =
            Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}(\\.[A-Za-z_][A-Za-z0-9_]{0,63}){0,2}");

    private final String name;

    private final String description;

    private final Kind kind;

    /** Empty for a value that is not allowed. */
    private final Function<Object, Optional<T>> parser;

    private final String allowed;

    private final @Nullable T byDefault;

    /** As a user would write it. */
    private final String defaultText;

    private final boolean isSecret;

    private final boolean isLogged;

    private final List<String> words;

    private Setting(
            String name,
            String description,
            Kind kind,
            Function<Object, Optional<T>> parser,
            String allowed,
            @Nullable T byDefault,
            String defaultText,
            boolean isSecret,
            boolean isLogged,
            List<String> words) {
        if (!name.startsWith(PREFIX)) {
            throw new IllegalArgumentException("The name of a setting must begin with " + PREFIX + ": name=" + name);
        }
        if (description.isBlank()) {
            throw new IllegalArgumentException("A setting needs a description: name=" + name);
        }
        this.name = name;
        this.description = description;
        this.kind = kind;
        this.parser = parser;
        this.allowed = allowed;
        this.byDefault = byDefault;
        this.defaultText = defaultText;
        this.isSecret = isSecret;
        this.isLogged = isLogged;
        this.words = words;
    }

    private static <T> Setting<T> of(
            String name, String description, Kind kind, Function<String, Optional<T>> parser, String allowed) {
        return ofObject(name, description, kind, value -> parser.apply(textOf(value)), allowed);
    }

    private static <T> Setting<T> ofObject(
            String name, String description, Kind kind, Function<Object, Optional<T>> parser, String allowed) {
        return new Setting<>(name, description, kind, parser, allowed, null, "", false, false, List.of());
    }

    /** The same setting with other values. */
    private <U> Setting<U> as(
            Function<Object, Optional<U>> otherParser,
            String otherAllowed,
            @Nullable U otherDefault,
            String otherText,
            boolean otherLogged,
            List<String> otherWords) {
        return new Setting<>(
                name,
                description,
                kind,
                otherParser,
                otherAllowed,
                otherDefault,
                otherText,
                isSecret,
                otherLogged,
                otherWords);
    }

    static String textOf(Object value) {
        return value.toString().strip();
    }

    /**
     * A text.
     *
     * @param allowed what may be written, for messages
     * @return without default
     */
    public static Setting<String> text(String name, String description, String allowed) {
        return of(name, description, Kind.TEXT, Optional::of, allowed);
    }

    /**
     * A password or another secret, which is never printed, and is read with the white space around it.
     *
     * @return without default
     */
    public static Setting<String> password(String name, String description) {
        return new Setting<>(
                name,
                description,
                Kind.TEXT,
                value -> Optional.of(value.toString()),
                "a password",
                null,
                "",
                true,
                false,
                List.of());
    }

    /**
     * A table, function or schema: letters, digits and {@code _}, perhaps with schema and catalog. It goes into SQL as
     * it is.
     *
     * @param byDefault a name
     * @return with a default
     */
    public static Setting<String> table(String name, String description, String byDefault) {
        return of(
                        name,
                        description,
                        Kind.TEXT,
                        text -> Optional.of(text).filter(Setting::isPlainName),
                        "a name of letters, digits and '_', optionally with its schema: name or schema.name")
                .withDefault(byDefault);
    }

    /**
     * Whether a name can go into SQL as it is.
     *
     * @param name perhaps with schema and catalog
     * @return false for one that needs quotes
     */
    public static boolean isPlainName(String name) {
        return TABLE.matcher(name).matches();
    }

    /**
     * A whole number.
     *
     * @param min least allowed
     * @param max most allowed
     * @return without default
     */
    public static Setting<Long> number(String name, String description, long min, long max) {
        return of(
                name,
                description,
                Kind.NUMBER,
                text -> parseNumber(text, min, max),
                "a number from " + min + " to " + max);
    }

    private static Optional<Long> parseNumber(String text, long min, long max) {
        try {
            long value = Long.parseLong(text);
            return value >= min && value <= max ? Optional.of(value) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /**
     * A whole number.
     *
     * @param byDefault if it is not set
     * @param min least allowed
     * @param max most allowed
     * @return with a default
     */
    public static Setting<Long> number(String name, String description, long byDefault, long min, long max) {
        return number(name, description, min, max).withDefault(byDefault);
    }

    /**
     * A duration.
     *
     * @param byDefault if it is not set
     * @param min least allowed
     * @param max most allowed
     * @return with a default
     */
    public static Setting<Duration> duration(
            String name, String description, Duration byDefault, Duration min, Duration max) {
        return of(
                        name,
                        description,
                        Kind.DURATION,
                        text -> parseDuration(text)
                                .filter(value -> value.compareTo(min) >= 0 && value.compareTo(max) <= 0),
                        "a duration from " + text(min) + " to " + text(max) + ", as in 250ms, 10s, 5m, 2h or PT10S")
                .withDefault(byDefault);
    }

    /** As in ISO 8601; its beginning may be left out. */
    private static Optional<Duration> parseDuration(String text) {
        String dense = text.toLowerCase(Locale.ROOT).replaceAll("\\s", "");
        try {
            return Optional.of(
                    dense.matches("[0-9]{1,12}ms")
                            ? Duration.ofMillis(Long.parseLong(dense.substring(0, dense.length() - 2)))
                            : Duration.parse(dense.startsWith("p") ? dense : "pt" + dense));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** In its largest unit. */
    private static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis == 0 || millis % 1_000 != 0) {
            return millis + "ms";
        }
        return millis % 3_600_000 == 0
                ? millis / 3_600_000 + "h"
                : millis % 60_000 == 0 ? millis / 60_000 + "m" : millis / 1_000 + "s";
    }

    /**
     * An instant in UTC.
     *
     * @param byDefault if it is not set
     * @return with a default
     */
    public static Setting<Instant> instant(String name, String description, Instant byDefault) {
        return of(name, description, Kind.INSTANT, Setting::parseInstant, "an instant in UTC, as in " + byDefault)
                .withDefault(byDefault);
    }

    private static Optional<Instant> parseInstant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /**
     * {@code true} or {@code false}.
     *
     * @param byDefault if it is not set
     * @return with a default
     */
    public static Setting<Boolean> flag(String name, String description, boolean byDefault) {
        return of(
                        name,
                        description,
                        Kind.FLAG,
                        text -> switch (text.toLowerCase(Locale.ROOT)) {
                            case "true" -> Optional.of(true);
                            case "false" -> Optional.of(false);
                            default -> Optional.empty();
                        },
                        "true, false")
                .withDefault(byDefault);
    }

    /**
     * One of the constants of an enum, written in lower case.
     *
     * @param <E> the enum
     * @param byDefault if it is not set
     * @return with a default
     */
    public static <E extends Enum<E>> Setting<E> choice(String name, String description, E byDefault) {
        E[] constants = byDefault.getDeclaringClass().getEnumConstants();
        String allowed = Arrays.stream(constants).map(Setting::written).collect(Collectors.joining(", "));
        return Setting.<E>of(
                        name,
                        description,
                        Kind.CHOICE,
                        text -> Arrays.stream(constants)
                                .filter(constant -> constant.name().equalsIgnoreCase(text))
                                .findFirst(),
                        allowed)
                .withDefault(byDefault)
                .withWords(Arrays.stream(constants).map(Setting::written).toList());
    }

    /**
     * Servers, in any of the forms that are allowed.
     *
     * @return without default
     */
    public static Setting<Object> servers(String name, String description) {
        return ofObject(
                name,
                description,
                Kind.SERVERS,
                Optional::of,
                "JDBC URLs (jdbc:...) or JNDI names (java:...) separated by commas, or DataSource objects in the"
                        + " settings map");
    }

    /**
     * Several texts.
     *
     * @param allowed what may be written, for messages
     * @return reads a text with commas, or a collection of texts; without default
     */
    public static Setting<List<String>> list(String name, String description, String allowed) {
        return ofObject(
                name,
                description,
                Kind.TEXT,
                value -> Optional.of((value instanceof Collection<?> elements ? elements.stream() : Stream.of(value))
                        .flatMap(element -> Arrays.stream(textOf(element).split(",", -1)))
                        .map(String::strip)
                        .toList()),
                allowed);
    }

    /**
     * An object, its class, or the name of its class.
     *
     * @param type its type
     * @return without default
     */
    public static Setting<Object> object(String name, String description, Class<?> type) {
        return ofObject(
                name,
                description,
                Kind.OBJECT,
                Optional::of,
                "a " + type.getName() + ", or the name of such a class with a public no-argument constructor");
    }

    /**
     * Returns this number or duration with another range, which may depend on other settings.
     *
     * @param min least allowed
     * @param max most allowed
     * @return with the same default
     */
    @SuppressWarnings("unchecked")
    public Setting<T> within(T min, T max) {
        Setting<?> narrowed = switch (kind) {
            case NUMBER -> number(name, description, (Long) min, (Long) max);
            case DURATION -> duration(name, description, (Duration) min, (Duration) min, (Duration) max);
            default -> throw new IllegalArgumentException("A setting without range: " + name);
        };
        return as(((Setting<T>) narrowed).parser, narrowed.allowed, byDefault, defaultText, isLogged, words);
    }

    /**
     * Returns this setting with a word that stands for no value, such as {@code off} for no bound.
     *
     * @param word in lower case
     * @return reads the word as empty
     */
    @SuppressWarnings("OptionalMapToOptional") // Parsed, and then perhaps no value.
    public Setting<Optional<T>> orWord(String word) {
        return as(
                value -> textOf(value).equalsIgnoreCase(word)
                        ? Optional.of(Optional.empty())
                        : parser.apply(value).map(Optional::of),
                allowed + ", or " + word,
                byDefault == null ? null : Optional.of(byDefault),
                defaultText,
                isLogged,
                Stream.concat(words.stream(), Stream.of(word)).toList());
    }

    /**
     * Returns this setting with words that may be written beside other values, such as {@code lease} beside a number.
     *
     * @param among the words, in lower case
     * @return reads the same values
     */
    public Setting<T> withWords(List<String> among) {
        return as(parser, allowed, byDefault, defaultText, isLogged, List.copyOf(among));
    }

    /**
     * Returns this setting with another text for what may be written.
     *
     * @param text for messages and documentation
     * @return reads the same values
     */
    public Setting<T> allowing(String text) {
        return as(parser, text, byDefault, defaultText, isLogged, words);
    }

    /**
     * Returns this setting with a default, which replaces the one it may have.
     *
     * @param value if it is not set
     * @return with that default
     */
    public Setting<T> withDefault(T value) {
        return as(parser, allowed, value, written(value), isLogged, words);
    }

    /**
     * Returns this setting with a default that depends on other settings.
     *
     * @param text what the default is, for the documentation
     * @return with this text
     */
    public Setting<T> defaultIs(String text) {
        return as(parser, allowed, byDefault, text, isLogged, words);
    }

    /**
     * Returns this setting as one whose default, too, is in the line in the log at start.
     *
     * @return a setting that decides which ids are made
     */
    public Setting<T> logged() {
        return as(parser, allowed, byDefault, defaultText, true, words);
    }

    private static String written(Object value) {
        if (value instanceof Duration duration) {
            return text(duration);
        }
        return value instanceof Enum<?> constant ? constant.name().toLowerCase(Locale.ROOT) : value.toString();
    }

    /** {@return the general form of its name, {@code distributedid.} included} */
    public String name() {
        return name;
    }

    /** {@return what it is for, in one sentence or two} */
    public String description() {
        return description;
    }

    /** {@return how a value is written} */
    public Kind kind() {
        return kind;
    }

    /** {@return what may be written, for messages and documentation} */
    public String allowed() {
        return allowed;
    }

    /** {@return the words that may be written, alone or among other values; empty if there are none} */
    public List<String> words() {
        return words;
    }

    /** {@return the default as a user would write it, or in words; empty if there is none} */
    public String defaultText() {
        return defaultText;
    }

    /** {@return whether its value must never be printed, such as a password} */
    public boolean isSecret() {
        return isSecret;
    }

    /** {@return whether the line in the log at start names its default} */
    public boolean isLogged() {
        return isLogged;
    }

    Optional<T> parse(Object value) {
        return parser.apply(value);
    }

    Optional<T> byDefault() {
        return Optional.ofNullable(byDefault);
    }

    @Override
    public String toString() {
        return name;
    }
}
