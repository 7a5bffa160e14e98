package io.distributedid.internal.http;

import io.distributedid.internal.settings.Secrets;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;

/** Reads the answers of an issuing service: JSON objects, and problems of RFC 9457. Immutable. */
public final class ServiceAnswers {

    private static final int OK = 200;

    private static final int NO_CONTENT = 204;

    private static final int LONGEST_DETAIL = 1_000;

    private final Secrets secrets;

    /** @param token that the requests carry; appears in no message, even if a server repeats it */
    public ServiceAnswers(Optional<String> token) {
        secrets = Secrets.of(token.stream());
    }

    /** The object of a good answer; without members if it has no body. */
    public JsonObject read(HttpResponse<byte[]> response) throws ServiceException {
        if (response.statusCode() == NO_CONTENT) {
            return new JsonObject(Map.of());
        }
        if (response.statusCode() == OK && type(response).equals(ServiceAddress.JSON)) {
            try {
                return JsonObject.read(response.body());
            } catch (IllegalArgumentException e) {
                throw malformed(e);
            }
        }
        if (response.statusCode() > NO_CONTENT && type(response).equals("application/problem+json")) {
            throw problem(response);
        }
        throw foreign(response);
    }

    /** The error for an answer that breaks the rules. */
    public ServiceException malformed(RuntimeException e) {
        return new ServiceException(
                ServiceException.Kind.MALFORMED,
                "The answer is not that of an issuing service: " + shortened(String.valueOf(e.getMessage())),
                e);
    }

    private ServiceException foreign(HttpResponse<byte[]> response) {
        return new ServiceException(
                ServiceException.Kind.FOREIGN,
                "The answer is not that of an issuing service: status=" + response.statusCode() + " type="
                        + shortened(type(response)),
                null);
    }

    private static String type(HttpResponse<byte[]> response) {
        return response.headers()
                .firstValue("Content-Type")
                .map(type -> type.split(";", 2)[0].strip())
                .orElse("");
    }

    private ServiceException problem(HttpResponse<byte[]> response) {
        try {
            JsonObject problem = JsonObject.read(response.body());
            String uri = problem.text("type");
            String type = uri.substring(uri.lastIndexOf('/') + 1);
            return new ServiceException(
                    type,
                    shortened(problem.find("detail")
                            .or(() -> problem.find("title"))
                            .orElse(type)),
                    problem.find("active").orElse(""));
        } catch (IllegalArgumentException e) {
            return foreign(response);
        }
    }

    /** On one line, without secrets. */
    private String shortened(String text) {
        return secrets.masked(text.replaceAll("[\\p{Cntrl}\\s]+", " "), LONGEST_DETAIL);
    }
}
