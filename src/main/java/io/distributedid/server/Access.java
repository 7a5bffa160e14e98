package io.distributedid.server;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    /** Every caller, unless there are tokens. */
    private final Caller anyone;

    /** The name of this machine in the settings, if the server listens to this machine only. */
    private final Optional<String> ownName;

    /**
     * @param rightsOfAnyone without a token, unless there are tokens
     * @param ownName by which the settings name this machine, if the server listens to this machine only
     */
    Access(Map<String, Caller> callers, Set<Right> rightsOfAnyone, Optional<String> ownName) {
        this.callers = Map.copyOf(callers);
        this.ownName = ownName;
        anyone = Caller.withoutToken(rightsOfAnyone);
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

    /** @throws Problem.Refusal if a token is required, and the request has none or a wrong one */
    Caller of(HttpServerRequest request) {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        boolean isBearer = header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        return of(request, isBearer ? header.substring(SCHEME.length()).strip() : null);
    }

    /** Whose figures a request may read; empty if it may read none. */
    Optional<Caller> reader(HttpServerRequest request) {
        try {
            return Optional.of(of(request)).filter(caller -> caller.rights().contains(Right.READ));
        } catch (Problem.Refusal e) {
            return Optional.empty();
        }
    }

    /** @throws Problem.Refusal if a token is required, and this one is missing or wrong */
    Caller of(HttpServerRequest request, @Nullable String token) {
        if (callers.isEmpty()) {
            ownName.ifPresent(name -> BrowserRequest.requireOwnMachine(request, name));
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

    private static Problem.Refusal refusal(String detail) {
        return new Problem(ProblemType.UNAUTHENTICATED, detail).refusal();
    }
}
