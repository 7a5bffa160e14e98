package io.distributedid.internal.service;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.service.ServiceException.Kind;
import io.distributedid.internal.settings.Secrets;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the answers of an issuing service: JSON objects, and problems of RFC 9457. The type of a problem decides
 * whether a later request may succeed, and its detail is the message. Immutable.
 */
final class ServiceAnswers {

    /** The type of bodies. */
    static final String JSON = "application/json";

    private static final int OK = 200;

    private static final int NO_CONTENT = 204;

    private static final int LONGEST_DETAIL = 1_000;

    private final ServiceSettings settings;

    private final Secrets secrets;

    /**
     * @param settings for messages
     * @param token that the requests carry; appears in no message, even if a server repeats it
     */
    ServiceAnswers(ServiceSettings settings, Optional<String> token) {
        this.settings = settings;
        secrets = Secrets.of(token.stream());
    }

    /**
     * The object of a good answer; without members if it has no body.
     *
     * @param request for messages: {@code seq=photos, server=https://ids1:8443}
     * @throws IdConfigurationException if a later request would fail the same way
     * @throws IdsExhaustedException if no ids or numbers are left
     */
    Json read(HttpResponse<byte[]> response, String request) throws ServiceException {
        if (response.statusCode() == NO_CONTENT) {
            return new Json(Map.of());
        }
        if (response.statusCode() == OK && type(response).equals(JSON)) {
            try {
                return Json.read(response.body());
            } catch (IllegalArgumentException e) {
                throw malformed(e);
            }
        }
        if (response.statusCode() > NO_CONTENT && type(response).equals("application/problem+json")) {
            throw problem(response, request);
        }
        throw foreign(response);
    }

    /** The error for an answer that breaks the rules. Its ids are a gap. */
    ServiceException malformed(RuntimeException e) {
        return new ServiceException(
                Kind.MALFORMED,
                "The answer is not that of an issuing service: " + shortened(String.valueOf(e.getMessage())),
                e);
    }

    private ServiceException foreign(HttpResponse<byte[]> response) {
        return new ServiceException(
                Kind.UNREACHABLE,
                "The answer is not that of an issuing service: status=" + response.statusCode() + " type="
                        + shortened(type(response)) + ". Check " + settings.servers()
                        + ", and what is between this process and the service",
                null);
    }

    private static String type(HttpResponse<byte[]> response) {
        return response.headers()
                .firstValue("Content-Type")
                .map(type -> type.split(";", 2)[0].strip())
                .orElse("");
    }

    private ServiceException problem(HttpResponse<byte[]> response, String request) {
        String type;
        String detail;
        String owner;
        try {
            Json problem = Json.read(response.body());
            String uri = problem.text("type");
            type = uri.substring(uri.lastIndexOf('/') + 1);
            detail = shortened(
                    problem.find("detail").or(() -> problem.find("title")).orElse(type));
            owner = shortened(problem.find("active").orElse(""));
        } catch (IllegalArgumentException e) {
            return foreign(response);
        }
        refuse(type, detail, request);
        return switch (type) {
            case "standby", "other-server" -> new ServiceException(Kind.ELSEWHERE, detail, owner, null);
            default -> new ServiceException(Kind.UNAVAILABLE, detail, null);
        };
    }

    /** Throws if a later request would meet the problem again. */
    private void refuse(String type, String detail, String request) throws DistributedIdException {
        if (type.equals("exhausted")) {
            throw new IdsExhaustedException(detail + " (" + request + ")");
        }
        String fix = fix(type);
        if (fix != null) {
            String end = detail.endsWith("?") ? " " : ". ";
            String message = detail + (fix.isEmpty() ? "" : end + fix) + " (" + request + ")";
            throw type.equals("invalid-parameter")
                    ? new IdConfigurationException(message, new ServiceException(Kind.PARAMETER, detail, null))
                    : new IdConfigurationException(message);
        }
    }

    /** What to do; null if a later request may not meet the problem. */
    private @Nullable String fix(String type) {
        return switch (type) {
            case "unknown-sequence" ->
                "Check the name of the sequence, and distributedid.server.sequences or distributedid.server.keyed at the"
                        + " service";
            case "unauthenticated" -> "Set " + settings.token() + " to a token of the service";
            case "forbidden" ->
                "Use a token that has this right (" + settings.token() + "), or grant it at the service";
            case "no-blocks" -> "Restart this application: the sequence is strictly ordered since it has started";
            case "unknown-path", "method-not-allowed", "invalid-body", "too-large" ->
                "The service may have another version than this library. Update its servers before its clients";
            case "invalid-parameter", "not-above", "no-numbers" -> "";
            default -> null;
        };
    }

    /** On one line, without secrets. */
    private String shortened(String text) {
        return secrets.masked(text.replaceAll("[\\p{Cntrl}\\s]+", " "), LONGEST_DETAIL);
    }
}
