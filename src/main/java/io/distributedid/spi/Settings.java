package io.distributedid.spi;

import io.distributedid.IdConfigurationException;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one sequence, or those of all: views of one immutable map. Thread-safe. Every reading method checks
 * the value and throws an {@link IdConfigurationException} that names the setting as the user wrote it, its value, and
 * what is allowed.
 */
public final class Settings {

    /** A URL that may hold a password, even if its setting takes none. Labels of servers have none of these marks. */
    private static final Pattern PRIVATE_URL = Pattern.compile("(jdbc:\\w+:(?://)?|//)(?=.*[@=?]).*", Pattern.DOTALL);

    /** As in {@code ${DB_URL}}. It may be a part of a secret, but hardly all of it. */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{[^{}]+}");

    private static final String MASK = "***";

    private final NavigableMap<String, Object> values;

    /** Null for the settings of all, and for those of a sequence without settings of its own. */
    private final @Nullable String sequence;

    private Settings(NavigableMap<String, Object> values, @Nullable String sequence) {
        this.values = values;
        this.sequence = sequence;
    }

    /**
     * Takes the entries whose key begins with {@code distributedid.}, and ignores the others.
     *
     * @param all any map; keys need not be strings
     * @return the settings of all sequences
     */
    public static Settings of(Map<?, ?> all) {
        NavigableMap<String, Object> ours = new TreeMap<>();
        all.forEach((key, value) -> {
            if (value != null && key instanceof String name && name.startsWith(Setting.PREFIX)) {
                ours.put(name, value);
            }
        });
        return new Settings(Collections.unmodifiableNavigableMap(ours), null);
    }

    /**
     * The settings of one sequence: its own settings, and otherwise those of all sequences.
     *
     * @param sequence its name
     * @return a view, read with the same declarations
     */
    public Settings forSequence(String sequence) {
        String own = Setting.SEQUENCE_PREFIX + sequence + ".";
        String first = values.ceilingKey(own);
        return new Settings(values, first != null && first.startsWith(own) ? sequence : null);
    }

    /**
     * The settings of all sequences.
     *
     * @return a view without the own settings of any sequence
     */
    public Settings general() {
        return new Settings(values, null);
    }

    /**
     * The settings of all sequences, and those of each sequence that has its own.
     *
     * @return the settings of all first
     */
    public Stream<Settings> views() {
        return Stream.concat(Stream.of(general()), sequences().stream().map(this::forSequence));
    }

    /**
     * The sequences that have settings of their own.
     *
     * @return their names
     */
    public Set<String> sequences() {
        String all = Setting.SEQUENCE_PREFIX;
        return values.keySet().stream()
                .filter(name -> name.startsWith(all) && name.indexOf('.', all.length()) > 0)
                .map(name -> name.substring(all.length(), name.indexOf('.', all.length())))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * All settings, those of single sequences included.
     *
     * @return names, {@code distributedid.} included, to values
     */
    public Map<String, Object> asMap() {
        return values;
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
        return find(setting).orElseThrow(() -> missing(setting, why));
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
        return given(setting)
                .map(value -> setting.parse(value).orElseThrow(() -> invalid(setting, value, setting.allowed())));
    }

    /**
     * The value of a setting as the user gave it, unchecked except for placeholders.
     *
     * @param setting its declaration
     * @return empty if it is not set or blank
     * @throws IdConfigurationException if it holds a placeholder that was not resolved
     */
    public Optional<Object> given(Setting<?> setting) {
        return Optional.ofNullable(values.get(writtenAs(setting)))
                .filter(value -> !(value instanceof CharSequence text)
                        || !Setting.textOf(text).isEmpty())
                .map(value -> resolved(setting, value));
    }

    /** Looks at texts only: other objects, such as a DataSource, are not asked for one. */
    private Object resolved(Setting<?> setting, Object value) {
        (value instanceof Collection<?> all ? all.stream() : Stream.of(value))
                .filter(CharSequence.class::isInstance)
                .map(text -> PLACEHOLDER.matcher(Setting.textOf(text)))
                .filter(found -> setting.isSecret() ? found.matches() : found.find())
                .findFirst()
                .ifPresent(found -> {
                    throw invalid(
                            setting,
                            value,
                            setting.allowed() + ". The placeholder " + (setting.isSecret() ? MASK : found.group())
                                    + " was not resolved. Define it, or write the value itself");
                });
        return value;
    }

    /**
     * Refuses any value of a setting.
     *
     * @param setting its declaration
     * @param allowed what may be written
     * @throws IdConfigurationException if it is set
     */
    public void requireUnset(Setting<?> setting, String allowed) {
        given(setting).ifPresent(value -> {
            throw invalid(setting, value, allowed);
        });
    }

    /**
     * The error for a setting that must be set.
     *
     * @param setting its declaration
     * @param why why it must be set
     * @return to be thrown
     */
    public IdConfigurationException missing(Setting<?> setting, String why) {
        return new IdConfigurationException("A setting is missing: " + writtenAs(setting) + ", allowed: "
                + setting.allowed() + (why.isEmpty() ? "" : ". " + why));
    }

    /**
     * The error for a value that is not allowed. It does not show the value of a secret; of a URL, it shows only
     * driver, hosts and path.
     *
     * @param setting its declaration
     * @param value as it was given
     * @param allowed what may be written
     * @return to be thrown
     */
    public IdConfigurationException invalid(Setting<?> setting, Object value, String allowed) {
        return new IdConfigurationException("A setting has a value that is not allowed: " + writtenAs(setting) + "="
                + shown(setting, value) + ", allowed: " + allowed);
    }

    private static String shown(Setting<?> setting, Object value) {
        return setting.isSecret()
                ? MASK
                : PRIVATE_URL.matcher(Setting.textOf(value)).replaceFirst("$1" + MASK);
    }

    /**
     * The name that the user wrote.
     *
     * @param setting its declaration
     * @return its form for one sequence if the user set that form, else its general name
     */
    public String writtenAs(Setting<?> setting) {
        if (sequence == null) {
            return setting.name();
        }
        String own = Setting.SEQUENCE_PREFIX + sequence + "." + setting.name().substring(Setting.PREFIX.length());
        return values.containsKey(own) ? own : setting.name();
    }

    /** Names only, since values may be secrets. */
    @Override
    public String toString() {
        return "Settings" + values.keySet();
    }
}
