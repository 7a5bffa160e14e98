package io.distributedid.server;

import java.util.Locale;

/** What can be wrong with a request. The name is the last part of the problem's type, the title says it in words. */
enum ProblemType {
    OTHER_SERVER(307, "Another server issues the numbers of this key"),
    INVALID_PARAMETER(400, "A parameter has a value that is not allowed"),
    INVALID_BODY(400, "The body of the request is not as described"),
    INVALID_REQUEST(400, "The request is not valid HTTP"),
    UNAUTHENTICATED(401, "A valid token is required"),
    FORBIDDEN(403, "The token does not allow this"),
    UNKNOWN_PATH(404, "There is no such path"),
    UNKNOWN_SEQUENCE(404, "There is no such sequence"),
    METHOD_NOT_ALLOWED(405, "The path does not support this method"),
    TIMEOUT(408, "The request did not arrive in time"),
    NOT_ABOVE(409, "New ids would repeat existing ones"),
    NO_BLOCKS(409, "The sequence issues no blocks"),
    NO_NUMBERS(409, "The server can't issue numbers of this sequence"),
    EXHAUSTED(410, "The sequence has no ids left"),
    TOO_LARGE(413, "The body of the request is too large"),
    URI_TOO_LONG(414, "The first line of the request is too long"),
    QUOTA(429, "The quota of the token is used up"),
    HEADER_TOO_LARGE(431, "The header of the request is too large"),
    INTERNAL(500, "The server has a fault"),
    UNAVAILABLE(503, "No id can be issued now"),
    STANDBY(503, "Another server is active"),
    NOT_READY(503, "The server is not ready");

    private static final String BASE = "https://distributedid.io/problems/";

    private final int status;

    private final String title;

    ProblemType(int status, String title) {
        this.status = status;
        this.title = title;
    }

    int status() {
        return status;
    }

    String title() {
        return title;
    }

    String uri() {
        return BASE + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether the same request may succeed later. */
    boolean passes() {
        return status == UNAVAILABLE.status || this == QUOTA;
    }
}
