package io.distributedid.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Why a request is refused, as {@code application/problem+json} (RFC 9457). Has no stack trace, since callers cause it.
 */
final class Problem extends RuntimeException {

    private static final long serialVersionUID = 1;

    private static final Duration SOON = Duration.ofSeconds(1);

    /** The member with the allowed methods, and the name of the header field. */
    static final String ALLOW = "allow";

    /** The member with the server that gives the ids instead, as it names itself. */
    static final String ACTIVE = "active";

    /** The member with the version of the table of sections. */
    static final String TABLE = "table";

    /** The member with the address that the request is to be sent to, and the name of the header field. */
    static final String LOCATION = "location";

    /** Longer texts of callers are cut in messages. */
    private static final int LONGEST = 100;

    private final ProblemType type;

    private final transient Map<String, ?> members;

    private final Duration retryAfter;

    /** @param detail what was wrong ({@code name=value}), what is allowed, how to fix it */
    Problem(ProblemType type, String detail) {
        this(type, detail, Map.of());
    }

    /** @param members further members of the body */
    Problem(ProblemType type, String detail, Map<String, ?> members) {
        this(type, detail, members, SOON);
    }

    /** @param retryAfter when the same request may succeed, if its type says that it may */
    Problem(ProblemType type, String detail, Duration retryAfter) {
        this(type, detail, Map.of(), retryAfter);
    }

    private Problem(ProblemType type, String detail, Map<String, ?> members, Duration retryAfter) {
        super(detail, null, false, false);
        this.type = type;
        this.members = Map.copyOf(members);
        this.retryAfter = retryAfter;
    }

    ProblemType type() {
        return type;
    }

    String detail() {
        return Objects.requireNonNull(getMessage());
    }

    Map<String, ?> members() {
        return members;
    }

    /** Rounded up, at least one. */
    long retrySeconds() {
        return Math.max(1, retryAfter.plusNanos(999_999_999).toSeconds());
    }

    Buffer body() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", type.uri());
        body.put("title", type.title());
        body.put("status", type.status());
        body.put("detail", detail());
        body.putAll(members);
        return new JsonObject(body).toBuffer();
    }

    /** A text of the caller, for a message. */
    static String quoted(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "... (" + text.length() + " characters)";
    }
}
