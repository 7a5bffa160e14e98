package io.distributedid.server;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Recognises callers by their tokens, of which the server knows the SHA-256 hash only. A token has 256 random bits, so
 * that a plain hash can't be reversed. Immutable.
 */
final class Access {

    private static final String SCHEME = "Bearer ";

    private static final int TOKEN_BYTES = 32;

    private static final int LONGEST_TOKEN = 512;

    /** By the hash of its token. */
    private final Map<String, Caller> callers;

    private final boolean isOwnMachineOnly;

    private final String ownName;

    /** Every caller, unless there are tokens. */
    private final Caller anyone;

    /** @param ownName by which the settings name this machine */
    Access(Map<String, Caller> callers, boolean isOwnMachineOnly, String ownName) {
        this.callers = Map.copyOf(callers);
        this.isOwnMachineOnly = isOwnMachineOnly;
        this.ownName = ownName;
        anyone = Caller.withoutToken(
                isOwnMachineOnly ? EnumSet.allOf(Right.class) : EnumSet.complementOf(EnumSet.of(Right.RAISE)));
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
            throw refusal("A token is required. Send it as Authorization: Bearer TOKEN");
        }
        Caller caller = token.length() > LONGEST_TOKEN ? null : callers.get(hash(token));
        if (caller == null) {
            throw refusal("The token is unknown. Its hash must be in the settings of the server:"
                    + " distributedid.server.token.NAME.hash");
        }
        return caller;
    }

    private static Problem refusal(String detail) {
        return new Problem(ProblemType.UNAUTHENTICATED, detail);
    }
}
