package io.distributedid.spi;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings that hold for one sequence, or for all. Immutable. Every reading method checks its value and throws an
 * {@link IdConfigurationException} that names the setting as the user wrote it, its value, and what is allowed.
 */
public final class Settings {

    private final Map<String, Object> values;

    /** The setting as the user wrote it, where that is not the name by which it is read. */
    private final Map<String, String> writtenAs;

    /** Those of all sequences; null if these are they. */
    private final @Nullable Settings general;

    private Settings(Map<String, Object> values, Map<String, String> writtenAs, @Nullable Settings general) {
        this.values = values;
        this.writtenAs = writtenAs;
        this.general = general;
    }

    /**
     * Keeps what begins with {@link DistributedIdSettings#PREFIX}, leaves the rest.
     *
     * @param all settings of any kind, keys that are not strings included
     * @return ours
     */
    public static Settings of(Map<?, ?> all) {
        Map<String, Object> ours = new TreeMap<>();
        all.forEach((key, value) -> {
            if (value != null && key instanceof String name && name.startsWith(DistributedIdSettings.PREFIX)) {
                ours.put(name, value);
            }
        });
        return new Settings(ours, Map.of(), null);
    }

    /**
     * The settings of one sequence: those of all, overridden by its own.
     *
     * @param sequence its name
     * @return settings to be read by their general names
     */
    public Settings forSequence(String sequence) {
        String prefix = DistributedIdSettings.SEQUENCE_PREFIX + sequence + ".";
        Map<String, Object> merged = new LinkedHashMap<>(values);
        Map<String, String> origin = new LinkedHashMap<>();
        values.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                String general = DistributedIdSettings.PREFIX + name.substring(prefix.length());
                merged.put(general, value);
                origin.put(general, name);
            }
        });
        return new Settings(merged, origin, general());
    }

    /**
     * The settings of all sequences, from which those of one were made.
     *
     * @return these, if they are not those of one sequence
     */
    public Settings general() {
        return general == null ? this : general;
    }

    /**
     * The sequences that have settings of their own.
     *
     * @return their names
     */
    public Set<String> sequences() {
        String prefix = DistributedIdSettings.SEQUENCE_PREFIX;
        return values.keySet().stream()
                .filter(name -> name.startsWith(prefix) && name.indexOf('.', prefix.length()) > 0)
                .map(name -> name.substring(prefix.length(), name.indexOf('.', prefix.length())))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * All settings.
     *
     * @return names, {@code distributedid.} included, to values
     */
    public Map<String, Object> asMap() {
        return Map.copyOf(values);
    }

    /**
     * The value of a setting.
     *
     * @param <T> its type
     * @param setting its declaration
     * @return the value, or the default
     * @throws IdConfigurationException if the value is not allowed, or there is neither a value nor a default
     */
    public <T> T get(Setting<T> setting) {
        return find(setting).or(setting::byDefault).orElseThrow(() -> missing(setting, ""));
    }

    /**
     * The value of a setting that has no default.
     *
     * @param <T> its type
     * @param setting its declaration
     * @param why why it must be set
     * @return the value
     * @throws IdConfigurationException if the value is not allowed, or missing
     */
    public <T> T require(Setting<T> setting, String why) {
        return find(setting).orElseThrow(() -> missing(setting, ". " + why));
    }

    /**
     * The value of a setting, without its default.
     *
     * @param <T> its type
     * @param setting its declaration
     * @return empty if it is not set or blank
     * @throws IdConfigurationException if the value is not allowed
     */
    public <T> Optional<T> find(Setting<T> setting) {
        return text(setting.name())
                .map(text -> setting.parse(text).orElseThrow(() -> invalid(setting.name(), text, setting.allowed())));
    }

    private static IdConfigurationException missing(Setting<?> setting, String why) {
        return new IdConfigurationException(
                "A setting is missing: " + setting.name() + ", allowed: " + setting.allowed() + why);
    }

    /**
     * A value of any type: a text, a number, a DataSource.
     *
     * @param name of the setting
     * @return its value, empty if it is not set or blank
     */
    public Optional<Object> object(String name) {
        return Optional.ofNullable(values.get(name))
                .filter(value -> !(value instanceof CharSequence text) || !isBlank(text));
    }

    /**
     * A text.
     *
     * @param name of the setting
     * @return its value without white space around it, empty if it is not set or blank
     */
    public Optional<String> text(String name) {
        return object(name).map(value -> value.toString().strip());
    }

    /**
     * A whole number.
     *
     * @param name of the setting
     * @param defaultValue if it is not set
     * @param min least allowed
     * @param max most allowed
     * @return the number
     */
    public long number(String name, long defaultValue, long min, long max) {
        return get(Setting.number(name, defaultValue, min, max));
    }

    /**
     * A whole number that has no default.
     *
     * @param name of the setting
     * @param min least allowed
     * @param max most allowed
     * @param why why it must be set
     * @return the number
     */
    public long requiredNumber(String name, long min, long max, String why) {
        return require(Setting.number(name, min, max), why);
    }

    /**
     * A text that has no default.
     *
     * @param name of the setting
     * @param allowed what may be written
     * @param why why it must be set
     * @return the text
     */
    public String required(String name, String allowed, String why) {
        return require(Setting.text(name, allowed), why);
    }

    /**
     * A duration.
     *
     * @param name of the setting
     * @param defaultValue if it is not set
     * @param min least allowed
     * @param max most allowed
     * @return the duration
     */
    public Duration duration(String name, Duration defaultValue, Duration min, Duration max) {
        return get(Setting.duration(name, defaultValue, min, max));
    }

    /**
     * An instant.
     *
     * @param name of the setting
     * @param defaultValue if it is not set
     * @return the instant
     */
    public Instant instant(String name, Instant defaultValue) {
        return get(Setting.instant(name, defaultValue));
    }

    /**
     * {@code true} or {@code false}.
     *
     * @param name of the setting
     * @param defaultValue if it is not set
     * @return the value
     */
    public boolean flag(String name, boolean defaultValue) {
        return get(Setting.flag(name, defaultValue));
    }

    /**
     * One of the constants of an enum, written in lower case.
     *
     * @param <E> the enum
     * @param name of the setting
     * @param defaultValue if it is not set
     * @return the constant
     */
    public <E extends Enum<E>> E choice(String name, E defaultValue) {
        return get(Setting.choice(name, defaultValue));
    }

    /**
     * The error for a value that is not allowed.
     *
     * @param name of the setting
     * @param value as it was given; must not be a secret
     * @param allowed what may be written
     * @return to be thrown
     */
    public IdConfigurationException invalid(String name, Object value, String allowed) {
        return new IdConfigurationException("A setting has a value that is not allowed: " + writtenAs(name) + "="
                + value + ", allowed: " + allowed);
    }

    /**
     * The name that the user wrote.
     *
     * @param name general name of a setting
     * @return the same, or its form for one sequence if that is where the value comes from
     */
    public String writtenAs(String name) {
        return writtenAs.getOrDefault(name, name);
    }

    /** Names only, since values may be secrets. */
    @Override
    public String toString() {
        return "Settings" + values.keySet();
    }

    private static boolean isBlank(CharSequence text) {
        return text.toString().isBlank();
    }
}
