package io.distributedid.spring;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says why an application did not start: what is wrong, and what to do, in place of a stack trace. Named in
 * {@code META-INF/spring.factories}, so that nothing loads it without Spring Boot.
 */
public final class DistributedIdFailureAnalyzer extends AbstractFailureAnalyzer<DistributedIdException> {

    private static final String ALLOWED = ", allowed: ";

    private static final String SENTENCE = "\\. (?=[A-Z])";

    private static final String PAGE =
            "All settings: https://github.com/distributedid/distributedid/blob/main/src/docs/settings.md";

    /** For Spring Boot. */
    public DistributedIdFailureAnalyzer() {}

    /** {@code cause}: the outermost exception of ours, which names the entity. */
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, DistributedIdException cause) {
        String message = String.valueOf(cause.getMessage());
        int allowed = message.indexOf(ALLOWED);
        if (allowed >= 0) {
            return analysis(
                    message.substring(0, allowed), "Allowed: " + message.substring(allowed + ALLOWED.length()), cause);
        }
        String[] parts = message.split(SENTENCE, 2);
        return analysis(parts[0], parts.length == 1 ? action(cause) : parts[1], cause);
    }

    /** What to do where the message does not say it. */
    private static String action(DistributedIdException cause) {
        return cause instanceof IdUnavailableException
                ? "Check that the servers run, that their addresses are right, and that this host may connect to them."
                : "";
    }

    /** Each sentence of the action has a line of its own. */
    private static FailureAnalysis analysis(String description, String action, DistributedIdException cause) {
        String sentences = action.isEmpty() ? "" : action.replaceAll(SENTENCE, ".\n") + "\n";
        return new FailureAnalysis(description, sentences + PAGE, cause);
    }
}
