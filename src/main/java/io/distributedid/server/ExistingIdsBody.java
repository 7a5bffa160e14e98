package io.distributedid.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The body {@code {"existing":["5000","17"],"raise":false}}.
 *
 * @param existing the largest existing ids, at least one
 * @param raise whether to raise counters that lie below; false if it is left out
 */
record ExistingIdsBody(List<Long> existing, boolean raise) {

    private static final String EXISTING = "existing";

    private static final String RAISE = "raise";

    private static final String FORM = "{\"existing\":[\"5000\",\"17\"],\"raise\":false}";

    private static final int MOST = 1_000;

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,19}");

    /** @throws Problem if the body has another form */
    static ExistingIdsBody of(Buffer body) {
        JsonObject object = parsed(body);
        if (!Set.of(EXISTING, RAISE).containsAll(object.fieldNames())) {
            throw refusal("members=" + Problem.quoted(object.fieldNames().toString()));
        }
        if (!(object.getValue(EXISTING) instanceof JsonArray ids) || ids.isEmpty() || ids.size() > MOST) {
            throw refusal(EXISTING + " must have 1 to " + MOST + " ids");
        }
        if (object.containsKey(RAISE) && !(object.getValue(RAISE) instanceof Boolean)) {
            throw refusal(RAISE + " must be true or false");
        }
        List<Long> existing = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            existing.add(id(ids.getValue(i)));
        }
        return new ExistingIdsBody(List.copyOf(existing), object.getBoolean(RAISE, false));
    }

    private static JsonObject parsed(Buffer body) {
        try {
            return new JsonObject(body);
        } catch (DecodeException | ClassCastException e) {
            throw refusal("length=" + body.length() + " bytes, which are no JSON object");
        }
    }

    private static long id(Object value) {
        if (value instanceof String text && NUMBER.matcher(text).matches()) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw refusal(EXISTING + "=" + text + ", which is more than 64 bits");
            }
        }
        throw refusal(EXISTING + "=" + Problem.quoted(String.valueOf(value)) + ", which is no text of decimal digits");
    }

    private static Problem refusal(String found) {
        return new Problem(
                ProblemType.INVALID_BODY,
                "The body of the request is not as described: " + found + ", allowed: " + FORM);
    }
}
