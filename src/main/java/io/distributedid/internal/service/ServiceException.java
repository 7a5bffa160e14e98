package io.distributedid.internal.service;

import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A server did not do what it was asked for; a later request, or one to another server, may succeed. An
 * {@link SQLException}, because that is the failure of a server for everything above. The message is complete in
 * itself, on one line, without the server's label and without secrets.
 */
public final class ServiceException extends SQLException {

    private static final long serialVersionUID = 1;

    /** What is wrong. */
    public enum Kind {
        /** No connection, no answer in time, or something else answers, such as a proxy with its page. */
        UNREACHABLE,
        /** Another server gives the ids or numbers. */
        ELSEWHERE,
        /** It has no ids or numbers now, or its answer breaks the protocol. */
        UNAVAILABLE
    }

    private final Kind kind;

    private final String owner;

    public ServiceException(Kind kind, String message, @Nullable Throwable cause) {
        this(kind, message, "", cause);
    }

    /** @param owner the address of the server that gives the ids or numbers, as this one says it; empty if unknown */
    ServiceException(Kind kind, String message, String owner, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.owner = owner;
    }

    /** Whether a failure is of this kind. */
    public static boolean isOf(Kind kind, @Nullable Throwable failure) {
        return failure instanceof ServiceException e && e.kind == kind;
    }

    Optional<String> owner() {
        return Optional.of(owner).filter(address -> !address.isEmpty());
    }
}
