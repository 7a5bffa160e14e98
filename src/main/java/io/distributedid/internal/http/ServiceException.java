package io.distributedid.internal.http;

import org.jspecify.annotations.Nullable;

/** An answer that is not the one that was asked for. The message is on one line and without secrets. */
public final class ServiceException extends Exception {

    private static final long serialVersionUID = 1;

    /** Whose answer it is. */
    public enum Kind {
        /** A problem of an issuing service, with its type. */
        PROBLEM,
        /** An issuing service that breaks the protocol. */
        MALFORMED,
        /** Something else, such as a proxy with its page. */
        FOREIGN
    }

    private final Kind kind;

    private final String type;

    private final String active;

    ServiceException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        type = "";
        active = "";
    }

    ServiceException(String type, String detail, String active) {
        super(detail);
        kind = Kind.PROBLEM;
        this.type = type;
        this.active = active;
    }

    public Kind kind() {
        return kind;
    }

    /** The last part of the problem's type, as in {@code unknown-sequence}; empty if it is no problem. */
    public String type() {
        return type;
    }

    /** The address of the active server, of a problem that names it; else empty. */
    public String active() {
        return active;
    }

    public String message() {
        return String.valueOf(getMessage());
    }
}
