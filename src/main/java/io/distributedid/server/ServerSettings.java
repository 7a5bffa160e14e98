package io.distributedid.server;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.settings.SettingNames;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings of a server, checked. All others in its file are those of the ids.
 *
 * @param own the settings of the server itself
 * @param ofIds all others
 * @param sequences the names of those that it gives ids of, in the order of the setting; there may be none if it serves
 *     numbers per key
 * @param keyed the names of those that it gives numbers per key of, in the order of the setting
 * @param leafKeys the sequences of Leaf's keys: those of the setting, and each that is served by its own name
 */
record ServerSettings(
        Settings own,
        Map<String, Object> ofIds,
        Set<String> sequences,
        Set<String> keyed,
        Map<String, String> leafKeys) {

    static final String PREFIX = "distributedid.server.";

    private static final List<Setting<?>> DECLARED = new ArrayList<>();

    static final Setting<String> HOST = declared(Setting.text(
                    "distributedid.server.host",
                    "Where the server listens. An address that other machines reach needs tokens and TLS, or the option"
                            + " --insecure.",
                    "a name or an address of this machine")
            .withDefault("127.0.0.1"));

    static final Setting<Long> PORT = declared(Setting.number(
            "distributedid.server.port",
            "The port on which the server listens; 0 for any free one, which is printed.",
            8080,
            0,
            65_535));

    static final Setting<String> SEQUENCES = declared(Setting.text(
            "distributedid.server.sequences",
            "The only sequences that the server issues ids of.",
            "names of sequences separated by commas, as in photos, users"));

    static final Setting<String> KEYED = declared(Setting.text(
            "distributedid.server.keyed",
            "The sequences that the server issues numbers per key of. With it, server.sequences may be left out.",
            "names of sequences separated by commas, as in messages, invoices"));

    static final Setting<String> LEAF_KEYS = declared(Setting.text(
            "distributedid.server.leaf.keys",
            "The keys of Leaf, with the sequences that give their ids. A served sequence is a key without this"
                    + " setting.",
            "keys of Leaf with their sequences, separated by commas, as in order.id=orders, 1001=users; a key contains"
                    + " neither '=' nor ','"));

    static final Setting<Long> MAX_IDS =
            declared(Setting.number("distributedid.server.max_ids", "Maximum ids per request.", 10_000, 1, 100_000));

    /** The largest {@link #MAX_BLOCK}. */
    static final int MOST_OF_BLOCK = 10_000_000;

    static final Setting<Long> MAX_BLOCK = declared(Setting.number(
            "distributedid.server.max_block",
            "Maximum ids per block. A caller who asks for more gets a block of this size.",
            1_000_000,
            1,
            MOST_OF_BLOCK));

    static final Setting<Long> MAX_BODY = declared(Setting.number(
            "distributedid.server.max_body",
            "Maximum bytes of a body, on TinyID's paths at most 1024. All bodies of a path together may have 100 times"
                    + " as many; further requests get 503.",
            65_536,
            1_024,
            16_777_216));

    static final Setting<Long> MAX_HEADER = declared(Setting.number(
            "distributedid.server.max_header",
            "Maximum bytes of the header, and of the first line.",
            8_192,
            1_024,
            65_536));

    static final Setting<Long> MAX_CONNECTIONS = declared(Setting.number(
            "distributedid.server.max_connections",
            "Maximum connections. Beyond that, the oldest connection that has sent no request yet is closed; if there"
                    + " is none, the new one.",
            10_000,
            1,
            1_000_000));

    static final Setting<Long> MAX_WAITING = declared(Setting.number(
            "distributedid.server.max_waiting",
            "Maximum requests that wait for ids. Further ones get 503 at once.",
            10_000,
            1,
            1_000_000));

    static final Setting<Duration> REQUEST_TIMEOUT = declared(Setting.duration(
            "distributedid.server.request_timeout",
            "How long the body of a request may take, and how long a stop waits for running requests.",
            ofSeconds(10),
            ofMillis(100),
            ofMinutes(10)));

    static final Setting<Duration> IDLE_TIMEOUT = declared(Setting.duration(
            "distributedid.server.idle_timeout",
            "A connection is closed after this time if no request arrives on it, whatever else does, or if its client"
                    + " reads no answer.",
            ofSeconds(60),
            ofSeconds(1),
            ofHours(24)));

    static final Setting<Duration> DRAIN = declared(Setting.duration(
            "distributedid.server.drain",
            "How long a stop waits for clients to leave.",
            ofSeconds(5),
            Duration.ZERO,
            ofMinutes(10)));

    static final Setting<Long> THREADS = declared(Setting.number(
                    "distributedid.server.threads",
                    "The number of event loops. Requests that wait for a store do not use them.",
                    1,
                    256)
            .defaultIs("the number of processors"));

    static final Setting<String> CERTIFICATE = declared(Setting.text(
            "distributedid.server.tls.certificate",
            "The certificate by which clients know the server. With it, the server speaks HTTPS.",
            "a PEM file with a certificate and its chain"));

    static final Setting<String> KEY = declared(Setting.text(
            "distributedid.server.tls.key",
            "The private key of the certificate.",
            "a PEM file with the private key, PKCS#8, not encrypted"));

    /** Also of a token with any name. */
    static final List<Setting<?>> ALL =
            Stream.concat(DECLARED.stream(), Access.settings("NAME").stream()).toList();

    private static <T> Setting<T> declared(Setting<T> setting) {
        DECLARED.add(setting);
        return setting;
    }

    /** @throws IdConfigurationException if a setting is unknown, missing or not allowed */
    static ServerSettings of(Map<String, ?> all) {
        Map<String, Object> ofServer = new LinkedHashMap<>(all);
        Map<String, Object> ofIds = new LinkedHashMap<>(all);
        ofServer.keySet().removeIf(name -> !name.startsWith(PREFIX));
        ofIds.keySet().removeAll(ofServer.keySet());
        SettingNames.check(ofServer.keySet(), known(ofServer.keySet()));
        Settings own = Settings.of(ofServer);
        Set<String> keyed = names(own, KEYED);
        if (keyed.isEmpty() || own.given(SEQUENCES).isPresent()) {
            String unused = own.require(SEQUENCES, "The server issues ids of these sequences only");
        }
        Set<String> sequences = names(own, SEQUENCES);
        ServerSettings settings = new ServerSettings(own, ofIds, sequences, keyed, leafKeys(own, sequences));
        requireServed(Settings.of(ofIds).sequences(), settings.served());
        return settings;
    }

    /** The names of all that it gives ids or numbers of. */
    Set<String> served() {
        Set<String> all = new LinkedHashSet<>(sequences);
        all.addAll(keyed);
        return all;
    }

    <T> T get(Setting<T> setting) {
        return own.get(setting);
    }

    int number(Setting<Long> setting) {
        return Math.toIntExact(own.get(setting));
    }

    /** The value is not allowed together with others. */
    IdConfigurationException invalid(Setting<?> setting, String allowed) {
        return own.invalid(setting, own.get(setting), allowed);
    }

    /** The number of event loops. */
    int threads() {
        return own.find(THREADS)
                .map(Math::toIntExact)
                .orElse(Runtime.getRuntime().availableProcessors());
    }

    /** With the settings of each token that is named. */
    private static Set<String> known(Set<String> written) {
        return Stream.concat(
                        ALL.stream(), Access.names(written).stream().flatMap(name -> Access.settings(name).stream()))
                .map(Setting::name)
                .collect(Collectors.toSet());
    }

    /** Empty if there is no such setting. */
    private static Set<String> names(Settings settings, Setting<String> setting) {
        String text = settings.find(setting).orElse("");
        Set<String> names = words(text);
        if (names.isEmpty() && settings.given(setting).isPresent()) {
            throw settings.invalid(setting, text, setting.allowed());
        }
        return names;
    }

    private static Map<String, String> leafKeys(Settings settings, Set<String> served) {
        Map<String, String> keys = new HashMap<>();
        served.forEach(name -> keys.put(name, name));
        for (String entry : words(settings.find(LEAF_KEYS).orElse(""))) {
            String[] parts = entry.split("\\s*=\\s*", -1);
            String name = parts[parts.length - 1];
            if (parts.length != 2 || parts[0].isEmpty() || !served.contains(name) || keys.put(parts[0], name) != null) {
                throw settings.invalid(
                        LEAF_KEYS,
                        entry,
                        LEAF_KEYS.allowed() + ". A key has one sequence, which the server serves"
                                + meant(name, served));
            }
        }
        return keys;
    }

    /** Those between commas, in their order, without empty ones. */
    static Set<String> words(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** @throws IdConfigurationException if a word is not known */
    static Set<String> words(Settings settings, Setting<String> setting, String text, Set<String> known) {
        Set<String> words = words(text);
        for (String word : words) {
            if (!known.contains(word)) {
                throw settings.invalid(setting, text, setting.allowed() + meant(word, known));
            }
        }
        return words;
    }

    /** A question that ends a message; empty if the name is known, or like no known one. */
    static String meant(String name, Set<String> known) {
        return SettingNames.near(name, known)
                .filter(near -> !near.equals(name))
                .map(near -> ". Did you mean " + near + "?")
                .orElse("");
    }

    /** Refuses settings for a sequence that is not served: its name is most likely misspelt. */
    private static void requireServed(Set<String> configured, Set<String> served) {
        for (String name : new TreeSet<>(configured)) {
            if (!served.contains(name)) {
                throw new IdConfigurationException("There are settings for a sequence that is not served: "
                        + Setting.SEQUENCE_PREFIX + name + ". Name it in " + SEQUENCES + " too, or in " + KEYED
                        + " for numbers per key, or remove its settings" + meant(name, served));
            }
        }
    }

    /** Omits passwords. */
    @Override
    public String toString() {
        return served().toString();
    }
}
