package io.distributedid.server;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of the settings, {@code distributedid.server.token.NAME.hash} and others of the same name, and who sends a
 * request. The server knows the SHA-256 hash of a token only. A token has 256 random bits, so that a plain hash can't
 * be reversed. Immutable.
 */
final class Access {

    private static final String PREFIX = "distributedid.server.token.";

    private static final Pattern KEY = Pattern.compile(Pattern.quote(PREFIX) + "([A-Za-z][A-Za-z0-9_-]{0,49})\\.[^.]+");

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    private static final String SCHEME = "Bearer ";

    private static final int TOKEN_BYTES = 32;

    private static final int LONGEST_TOKEN = 512;

    /** By the hash of its token. */
    private final Map<String, Caller> callers = new HashMap<>();

    private final boolean isOwnMachineOnly;

    private final String ownName;

    /** Every caller, unless there are tokens. */
    private final Caller anyone;

    /**
     * @param isOwnMachineOnly whether no other machine reaches the server
     * @throws IdConfigurationException if a setting of a token is missing or not allowed
     */
    Access(ServerSettings server, boolean isOwnMachineOnly) {
        this.isOwnMachineOnly = isOwnMachineOnly;
        ownName = server.get(ServerSettings.HOST);
        anyone = Caller.withoutToken(
                isOwnMachineOnly ? EnumSet.allOf(Right.class) : EnumSet.complementOf(EnumSet.of(Right.RAISE)));
        Settings settings = server.own();
        for (String token : names(settings.asMap().keySet())) {
            Caller caller = new Caller(
                    token,
                    sequences(server, token),
                    rights(settings, token),
                    settings.find(quota(token)).map(perSecond -> new Quota(token, perSecond, System::nanoTime)));
            for (String hash : hashes(settings, token)) {
                if (callers.put(hash, caller) != null) {
                    throw new IdConfigurationException("Two tokens have the same hash: " + hashOf(token)
                            + ". Make a new one with --new-token " + token);
                }
            }
        }
    }

    static Setting<String> hashOf(String token) {
        return Setting.password(
                        PREFIX + token + ".hash",
                        "The hash of the token, or of several that are valid at the same time.")
                .allowing("SHA-256 of the token as 64 hexadecimal digits, or several separated by commas; --new-token "
                        + token + " makes a token");
    }

    static Setting<String> sequencesOf(String token) {
        return Setting.text(
                PREFIX + token + ".sequences",
                "The only sequences that the token allows.",
                "names of served sequences separated by commas, or *");
    }

    private static Setting<String> rightsOf(String token) {
        return Setting.text(
                        PREFIX + token + ".rights",
                        "What the token allows.",
                        "some of " + String.join(", ", Right.BY_TEXT.keySet()) + ", separated by commas")
                .withDefault("ids, blocks, read");
    }

    private static Setting<Long> quota(String token) {
        return Setting.number(
                PREFIX + token + ".quota",
                "Maximum ids per second, shared by all callers with the" + " token.",
                1,
                1_000_000_000);
    }

    /** All settings of a token. */
    static List<Setting<?>> settings(String token) {
        return List.of(hashOf(token), sequencesOf(token), rightsOf(token), quota(token));
    }

    /** The names of the tokens that have settings. */
    static Set<String> names(Set<String> keys) {
        return keys.stream()
                .map(KEY::matcher)
                .filter(Matcher::matches)
                .map(key -> key.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> hashes(Settings settings, String token) {
        Setting<String> setting = hashOf(token);
        Set<String> hashes =
                ServerSettings.words(settings.require(setting, "The token " + token + " has other settings"));
        if (hashes.isEmpty()
                || !hashes.stream().allMatch(hash -> HASH.matcher(hash).matches())) {
            // It may be the token itself.
            throw settings.invalid(setting, hashes, setting.allowed());
        }
        return hashes;
    }

    private static Optional<Set<String>> sequences(ServerSettings server, String token) {
        Setting<String> setting = sequencesOf(token);
        String text = server.own().require(setting, "The token " + token + " allows only these sequences");
        return text.equals("*")
                ? Optional.empty()
                : Optional.of(ServerSettings.words(server.own(), setting, text, server.served()));
    }

    private static Set<Right> rights(Settings settings, String token) {
        Setting<String> setting = rightsOf(token);
        return ServerSettings.words(settings, setting, settings.get(setting), Right.BY_TEXT.keySet()).stream()
                .map(Right.BY_TEXT::get)
                .collect(Collectors.toSet());
    }

    /** A new token. */
    static String newToken() {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    static String hash(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JVM has SHA-256", e);
        }
    }

    boolean hasTokens() {
        return !callers.isEmpty();
    }

    /** @throws Problem if a token is required, and the request has none or a wrong one */
    Caller of(HttpServerRequest request) {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        boolean isBearer = header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        return of(request, isBearer ? header.substring(SCHEME.length()).strip() : null);
    }

    /** Whose figures a request may read; empty if it may read none. */
    Optional<Caller> reader(HttpServerRequest request) {
        try {
            return Optional.of(of(request)).filter(caller -> caller.rights().contains(Right.READ));
        } catch (Problem e) {
            return Optional.empty();
        }
    }

    /** @throws Problem if a token is required, and this one is missing or wrong */
    Caller of(HttpServerRequest request, @Nullable String token) {
        if (callers.isEmpty()) {
            if (isOwnMachineOnly) {
                BrowserRequest.requireOwnMachine(request, ownName);
            }
            return anyone;
        }
        if (token == null || token.isEmpty()) {
            throw new Problem(
                    ProblemType.UNAUTHENTICATED, "A token is required. Send it as Authorization: Bearer TOKEN");
        }
        Caller caller = token.length() > LONGEST_TOKEN ? null : callers.get(hash(token));
        if (caller == null) {
            throw new Problem(
                    ProblemType.UNAUTHENTICATED,
                    "The token is unknown. Its hash must be in the settings of the server:"
                            + " distributedid.server.token.NAME.hash");
        }
        return caller;
    }
}
