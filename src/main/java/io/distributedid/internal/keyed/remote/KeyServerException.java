package io.distributedid.internal.keyed.remote;

import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A server gave no number; a later request, or one to another server, may succeed. An {@link SQLException}, because
 * that is the failure of a server for everything above.
 */
final class KeyServerException extends SQLException {

    private static final long serialVersionUID = 1;

    /** What is wrong. */
    enum Kind {
        /** It does not answer, or something else answers in its place. */
        UNREACHABLE,
        /** Another server gives the numbers of the key. */
        ELSEWHERE,
        /** It has no number now. */
        UNAVAILABLE
    }

    private final Kind kind;

    private final String owner;

    /** @param message complete in itself, without the server's label */
    KeyServerException(Kind kind, String message, @Nullable Throwable cause) {
        this(kind, message, "", cause);
    }

    /** @param owner the address of the server with the key, as this one says it; empty if it is unknown */
    KeyServerException(Kind kind, String message, String owner, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.owner = owner;
    }

    Kind kind() {
        return kind;
    }

    Optional<String> owner() {
        return Optional.of(owner).filter(address -> !address.isEmpty());
    }
}
