package io.distributedid.server;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.settings.SettingNames;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The settings of tokens: {@code distributedid.server.token.NAME.hash} and others of the same name. */
final class TokenSettings {

    private static final String PREFIX = "distributedid.server.token.";

    private static final Pattern KEY = Pattern.compile(Pattern.quote(PREFIX) + "([A-Za-z][A-Za-z0-9_-]{0,49})\\.[^.]+");

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    private static final String EVERY = "*";

    private TokenSettings() {}

    static Setting<String> hash(String token) {
        return Setting.password(
                        PREFIX + token + ".hash",
                        "The hash of the token, or of several that are valid at the same time.")
                .allowing("SHA-256 of the token as 64 hexadecimal digits, or several separated by commas; --new-token "
                        + token + " makes a token");
    }

    static Setting<String> sequences(String token) {
        return Setting.text(
                PREFIX + token + ".sequences",
                "The sequences that the token allows, and no other.",
                "names of served sequences separated by commas, or *");
    }

    static Setting<String> rights(String token) {
        return Setting.text(
                        PREFIX + token + ".rights",
                        "What the token allows.",
                        "some of " + Right.allowed() + ", separated by commas")
                .withDefault("ids, blocks, read");
    }

    static Setting<Long> quota(String token) {
        return Setting.number(
                PREFIX + token + ".quota", "The most ids a second for all callers with the token.", 1, 1_000_000_000);
    }

    /** All settings of a token. */
    static List<Setting<?>> of(String token) {
        return List.of(hash(token), sequences(token), rights(token), quota(token));
    }

    /** The names of the tokens that have settings. */
    static Set<String> names(Set<String> keys) {
        return keys.stream()
                .map(KEY::matcher)
                .filter(Matcher::matches)
                .map(key -> key.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * The callers by the hashes of their tokens.
     *
     * @throws IdConfigurationException if a setting is missing or not allowed
     */
    static Map<String, Caller> callers(ServerSettings server) {
        Settings settings = server.own();
        Set<String> served = server.served();
        Map<String, Caller> callers = new HashMap<>();
        for (String token : names(settings.asMap().keySet())) {
            Caller caller = new Caller(
                    token,
                    sequences(settings, token, served),
                    rights(settings, token),
                    settings.find(quota(token)).map(perSecond -> new Quota(token, perSecond, System::nanoTime)));
            for (String hash : hashes(settings, token)) {
                if (callers.put(hash, caller) != null) {
                    throw new IdConfigurationException("Two tokens have the same hash: " + hash(token)
                            + ". Make one of them anew with --new-token " + token);
                }
            }
        }
        return callers;
    }

    private static List<String> hashes(Settings settings, String token) {
        Setting<String> setting = hash(token);
        List<String> hashes =
                ServerSettings.words(settings.require(setting, "The token " + token + " has other settings"));
        if (hashes.isEmpty()
                || !hashes.stream().allMatch(hash -> HASH.matcher(hash).matches())) {
            // It may be the token itself.
            throw settings.invalid(setting, hashes, setting.allowed());
        }
        return hashes;
    }

    private static Optional<Set<String>> sequences(Settings settings, String token, Set<String> served) {
        Setting<String> setting = sequences(token);
        String text = settings.require(setting, "The token " + token + " allows these sequences, and no other");
        if (text.equals(EVERY)) {
            return Optional.empty();
        }
        Set<String> names = new HashSet<>(ServerSettings.words(text));
        for (String name : names) {
            if (!served.contains(name)) {
                throw settings.invalid(
                        setting,
                        text,
                        setting.allowed()
                                + SettingNames.near(name, served)
                                        .map(near -> ". Is " + name + " " + near + "?")
                                        .orElse(""));
            }
        }
        return Optional.of(names);
    }

    private static Set<Right> rights(Settings settings, String token) {
        Setting<String> setting = rights(token);
        String text = settings.get(setting);
        Set<String> words = new HashSet<>(ServerSettings.words(text));
        Set<Right> rights = EnumSet.allOf(Right.class);
        rights.removeIf(right -> !words.contains(right.text()));
        if (rights.size() < words.size()) {
            throw settings.invalid(setting, text, setting.allowed());
        }
        return rights;
    }
}
