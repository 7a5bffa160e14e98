package io.distributedid.server;

import io.distributedid.DistributedIdException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdsExhaustedException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;

/**
 * Turns exceptions into problems. A caller reads the message of an exception of this library, which names no secret.
 * Anything else is a fault of the server, which the log tells, and not the caller.
 */
final class Failures {

    private static final Logger LOG = System.getLogger(Failures.class.getName());

    private static final String LOG_TELLS_MORE = "The log of the server tells more. The request may be repeated";

    private final PublicText text;

    Failures(PublicText text) {
        this.text = text;
    }

    Problem problem(Throwable failure) {
        if (failure instanceof Problem problem) {
            return problem;
        }
        if (failure instanceof IdsExhaustedException) {
            return new Problem(ProblemType.EXHAUSTED, message(failure));
        }
        if (failure instanceof IdStandbyException standby) {
            return new Problem(ProblemType.STANDBY, message(failure), Map.of(Problem.ACTIVE, standby.active()));
        }
        if (failure instanceof DistributedIdException) {
            return new Problem(ProblemType.UNAVAILABLE, message(failure));
        }
        LOG.log(Level.ERROR, "A request failed", failure);
        return new Problem(ProblemType.INTERNAL, LOG_TELLS_MORE);
    }

    /** What callers may read of it. */
    String message(Throwable failure) {
        return Optional.ofNullable(failure.getMessage())
                .map(text::of)
                .filter(message -> !message.isBlank())
                .orElse("There is no message. " + LOG_TELLS_MORE);
    }
}
