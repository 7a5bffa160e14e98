package io.distributedid.backend.remote;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;

/**
 * What the answers of an issuing service mean. An error is a problem of RFC 9457: its type decides whether a later
 * request may succeed, and its detail is the message. What no issuing service answers, such as the page of a proxy, is
 * the failure of a server too.
 */
final class Answers {

    private static final int OK = 200;

    private static final int NO_CONTENT = 204;

    private static final int LONGEST_DETAIL = 1_000;

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

    private final Optional<String> token;

    /** @param token that the requests carry; appears in no message, even if a server repeats it */
    Answers(Optional<String> token) {
        this.token = token;
    }

    /**
     * The object of a good answer; without members if it has no body.
     *
     * @param request for messages: {@code seq=photos, server=https://ids1:8443}
     * @throws IdConfigurationException if a later request would fail the same way
     * @throws IdsExhaustedException if the sequence has no ids left
     * @throws RemoteException if a later request may succeed
     */
    JsonObject read(HttpResponse<byte[]> response, String request) throws RemoteException {
        if (response.statusCode() == NO_CONTENT) {
            return new JsonObject(Map.of());
        }
        if (response.statusCode() == OK && type(response).equals("application/json")) {
            try {
                return JsonObject.read(response.body());
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
    RemoteException malformed(RuntimeException e) {
        return new RemoteException(
                "The answer is not that of an issuing service: " + shortened(String.valueOf(e.getMessage())), e);
    }

    private RemoteException foreign(HttpResponse<byte[]> response) {
        return new UnreachableException(
                "The answer is not that of an issuing service: status=" + response.statusCode()
                        + " type=" + shortened(type(response)) + ". Check " + RemoteSettings.SERVERS
                        + ", and what is between this process and the service",
                null);
    }

    private static String type(HttpResponse<byte[]> response) {
        return response.headers()
                .firstValue("Content-Type")
                .map(type -> type.split(";", 2)[0].strip())
                .orElse("");
    }

    private RemoteException problem(HttpResponse<byte[]> response, String request) throws RemoteException {
        String type;
        String detail;
        String active;
        try {
            JsonObject problem = JsonObject.read(response.body());
            String uri = problem.text("type");
            type = uri.substring(uri.lastIndexOf('/') + 1);
            detail = shortened(
                    problem.find("detail").or(() -> problem.find("title")).orElse(type));
            active = problem.find("active").orElse("");
        } catch (IllegalArgumentException e) {
            throw foreign(response);
        }
        if (type.equals("exhausted")) {
            throw new IdsExhaustedException(detail + " (" + request + ")");
        }
        String fix = FINAL.get(type);
        if (fix != null) {
            String end = detail.endsWith("?") ? " " : ". ";
            throw new IdConfigurationException(detail + (fix.isEmpty() ? "" : end + fix) + " (" + request + ")");
        }
        return type.equals("standby") ? new StandbyException(detail, active) : new RemoteException(detail);
    }

    /** On one line, without secrets. */
    private String shortened(String text) {
        String line = token.map(secret -> text.replace(secret, "***")).orElse(text);
        line = line.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        return line.length() <= LONGEST_DETAIL ? line : line.substring(0, LONGEST_DETAIL) + "...";
    }
}
