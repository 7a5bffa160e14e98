package io.distributedid.server;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.IdTime;
import io.distributedid.spi.Settings;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Says what a sequence is, decodes its ids, and compares it with existing ids. These may wait for the stores.
 *
 * @param comparisons threads that may wait for the clock to pass an existing id
 */
record SequenceOperations(
        Sequences<ServedSequence> sequences,
        ServerSettings settings,
        InstantSource clock,
        Workers inquiries,
        Workers comparisons,
        PublicText text) {

    private static final String SNOWFLAKE = "snowflake";

    private static final Pattern ID = Pattern.compile("[1-9][0-9]{0,18}");

    /** What a comparison has: the largest existing ids, and whether to raise counters that lie below. */
    private static final String FORM = "{\"existing\":[\"5000\",\"17\"],\"raise\":false}";

    private static final String EXISTING = "existing";

    private static final String RAISE = "raise";

    private static final int MOST_EXISTING = 1_000;

    private static final Pattern EXISTING_ID = Pattern.compile("-?[0-9]{1,19}");

    List<Route> routes() {
        return List.of(
                Route.get("/v1/sequences", Set.of(Right.READ), this::list),
                Route.get("/v1/sequences/{seq}", Set.of(Right.READ), this::describe),
                Route.get("/v1/sequences/{seq}/ids/{id}", Set.of(Right.READ), this::decode),
                Route.post("/v1/sequences/{seq}/above", Set.of(Right.READ), this::above)
                        .withBody(Long.MAX_VALUE));
    }

    private void list(Exchange exchange) {
        exchange.query();
        exchange.json(new JsonObject().put("sequences", new JsonArray(sequences.names(exchange.caller()))));
    }

    private void describe(Exchange exchange) {
        ServedSequence sequence = named(exchange);
        exchange.query();
        inquiries.call(exchange, () -> described(sequence), exchange::json);
    }

    private ServedSequence named(Exchange exchange) {
        return sequences.named(exchange.value(0), exchange.caller());
    }

    /** Its kind, the distance between ids, and counters or layout. */
    private JsonObject described(ServedSequence sequence) throws SQLException {
        sequence.look();
        String name = sequence.name();
        DistributedIds ids = sequence.ids();
        Optional<IdTime> time = time(ids, name);
        JsonObject answer = new JsonObject()
                .put("sequence", name)
                .put("kind", kind(sequence, time))
                .put("maxIds", settings.number(ServerSettings.MAX_IDS));
        if (!sequence.isStrict()) {
            answer.put("maxBlock", settings.number(ServerSettings.MAX_BLOCK));
        }
        // This is how a reader of existing ids learns both. It finds none, so nothing is compared.
        ids.admin().requireAbove(name, (step, distance) -> {
            answer.put("step", Long.toString(step)).put("maxDistance", Long.toString(distance));
            return List.of();
        });
        ids.admin()
                .token(name)
                .ifPresent(token ->
                        answer.put("token", token).put("idSpace", ids.admin().idSpace(name)));
        if (time.isPresent()) {
            layout(name).ifPresent(layout -> answer.put("layout", layout));
            answer.put("epoch", time.get().epoch().toString());
        } else {
            JsonObject counters = new JsonObject();
            ids.admin().counters(name).lastIds().forEach((server, last) -> counters.put(server, last.toString()));
            answer.put("counters", counters);
        }
        return answer;
    }

    private static String kind(ServedSequence sequence, Optional<IdTime> time) {
        if (sequence.isStrict()) {
            return "strict";
        }
        return time.isPresent() ? "composed" : "blocks";
    }

    private static Optional<IdTime> time(DistributedIds ids, String name) {
        try {
            return Optional.of(ids.time(name));
        } catch (IdConfigurationException e) {
            return Optional.empty();
        }
    }

    /** Without the epoch, which has a member of its own. Empty for other backends. */
    private Optional<String> layout(String name) {
        Settings own = Settings.of(settings.ofIds()).forSequence(name);
        if (!own.find(CoreSettings.BACKEND).equals(Optional.of(SNOWFLAKE))) {
            return Optional.empty();
        }
        IdLayout layout = LayoutParser.of(own, clock.instant());
        return Optional.of(layout.text().replaceFirst(" from .*", ""));
    }

    private void decode(Exchange exchange) {
        ServedSequence sequence = named(exchange);
        exchange.query();
        long id = id(exchange.value(1));
        inquiries.call(exchange, () -> decoded(sequence, id), exchange::json);
    }

    private static long id(String written) {
        try {
            if (ID.matcher(written).matches()) {
                return Long.parseLong(written);
            }
        } catch (NumberFormatException e) {
            // More than 2^63-1 has the message of everything else.
        }
        throw Query.notAllowed("id", written, "a number from 1 to " + Long.MAX_VALUE);
    }

    private JsonObject decoded(ServedSequence sequence, long id) {
        DecodedId decoded;
        try {
            decoded = sequence.ids().decode(sequence.name(), id);
        } catch (IllegalArgumentException e) {
            throw new Problem(ProblemType.INVALID_PARAMETER, text.of(e));
        }
        JsonObject fields = new JsonObject();
        decoded.fields().forEach((name, value) -> fields.put(name, value.toString()));
        JsonObject answer = new JsonObject().put("sequence", sequence.name()).put("id", Long.toString(id));
        decoded.time().ifPresent(time -> answer.put("time", time.toString()));
        return answer.put("fields", fields).put("bits", decoded.bits());
    }

    private void above(Exchange exchange) {
        ServedSequence sequence = named(exchange);
        exchange.query();
        JsonObject body = object(exchange.body());
        List<Long> existing = existing(body);
        boolean raises = body.getBoolean(RAISE, false);
        BrowserRequest.requireOwnPage(exchange.request());
        if (raises) {
            exchange.caller().require(Set.of(Right.RAISE));
        }
        comparisons.call(exchange, () -> compare(sequence, existing, raises), none -> exchange.noContent());
    }

    private @Nullable Void compare(ServedSequence sequence, List<Long> existing, boolean raises) throws SQLException {
        DistributedIds ids = sequence.ids();
        sequence.look();
        try {
            if (raises) {
                ids.admin().raise(sequence.name(), Collections.max(existing));
            } else {
                ids.admin().requireAbove(sequence.name(), (step, distance) -> existing);
            }
            return null;
        } catch (IdConfigurationException e) {
            throw new Problem(ProblemType.NOT_ABOVE, text.of(e));
        }
    }

    /** Of the form {@link #FORM}, but for the ids. */
    private static JsonObject object(Buffer body) {
        JsonObject object;
        try {
            object = new JsonObject(body);
        } catch (DecodeException | ClassCastException e) {
            throw refusal("length=" + body.length() + " bytes, which are no JSON object");
        }
        if (!Set.of(EXISTING, RAISE).containsAll(object.fieldNames())) {
            throw refusal("members=" + Problem.quoted(object.fieldNames().toString()));
        }
        if (object.containsKey(RAISE) && !(object.getValue(RAISE) instanceof Boolean)) {
            throw refusal(RAISE + " must be true or false");
        }
        return object;
    }

    private static List<Long> existing(JsonObject body) {
        if (!(body.getValue(EXISTING) instanceof JsonArray ids) || ids.isEmpty() || ids.size() > MOST_EXISTING) {
            throw refusal(EXISTING + " must have 1 to " + MOST_EXISTING + " ids");
        }
        return ids.stream().map(SequenceOperations::existingId).toList();
    }

    private static long existingId(Object value) {
        if (value instanceof String written && EXISTING_ID.matcher(written).matches()) {
            try {
                return Long.parseLong(written);
            } catch (NumberFormatException e) {
                throw refusal(EXISTING + "=" + written + ", which is more than 64 bits");
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
