package io.distributedid.backend.remote;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.http.JsonObject;
import io.distributedid.internal.http.ServiceAnswers;
import io.distributedid.internal.http.ServiceException;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;

/**
 * What the answers of an issuing service mean. The type of a problem decides whether a later request may succeed, and
 * its detail is the message. What no issuing service answers, such as the page of a proxy, is the failure of a server
 * too.
 */
final class Answers {

    /** The problems that a later request would meet again, and what to do. */
    private static final Map<String, String> FINAL = Map.of(
            "unknown-sequence", "Check the name of the sequence, and the sequences that the server is set to serve",
            "unauthenticated", "Set " + RemoteSettings.TOKEN + " to a token of the service",
            "forbidden", "Use a token that has this right (" + RemoteSettings.TOKEN + "), or grant it at the service",
            "not-above", "",
            "no-blocks", "Restart this application: the sequence is strictly ordered since it has started",
            "unknown-path", "The service may have another version than this library",
            "method-not-allowed", "The service may have another version than this library",
            "invalid-parameter", "",
            "invalid-body", "The service may have another version than this library",
            "too-large", "The service may have another version than this library");

    private final ServiceAnswers answers;

    /** @param token that the requests carry */
    Answers(Optional<String> token) {
        answers = new ServiceAnswers(token);
    }

    /**
     * The object of a good answer; without members if it has no body.
     *
     * @param request for messages: {@code seq=photos, server=https://ids1:8443}
     * @throws IdConfigurationException if a later request would fail the same way; a {@link ParameterRefusedException}
     *     if a parameter is the reason
     * @throws IdsExhaustedException if the sequence has no ids left
     * @throws RemoteException if a later request may succeed
     */
    JsonObject read(HttpResponse<byte[]> response, String request) throws RemoteException {
        try {
            return answers.read(response);
        } catch (ServiceException e) {
            throw switch (e.kind()) {
                case PROBLEM -> problem(e, request);
                case MALFORMED -> new RemoteException(e.message(), e);
                case FOREIGN ->
                    new UnreachableException(
                            e.message() + ". Check " + RemoteSettings.SERVERS
                                    + ", and what is between this process and the service",
                            null);
            };
        }
    }

    /** The error for an answer that breaks the rules. Its ids are a gap. */
    RemoteException malformed(RuntimeException e) {
        ServiceException malformed = answers.malformed(e);
        return new RemoteException(malformed.message(), malformed);
    }

    private static RemoteException problem(ServiceException problem, String request) {
        String detail = problem.message();
        if (problem.type().equals("exhausted")) {
            throw new IdsExhaustedException(detail + " (" + request + ")");
        }
        String fix = FINAL.get(problem.type());
        if (fix != null) {
            String end = detail.endsWith("?") ? " " : ". ";
            String message = detail + (fix.isEmpty() ? "" : end + fix) + " (" + request + ")";
            throw problem.type().equals("invalid-parameter")
                    ? new ParameterRefusedException(message)
                    : new IdConfigurationException(message);
        }
        return problem.type().equals("standby")
                ? new StandbyException(detail, problem.active())
                : new RemoteException(detail);
    }
}
