package io.distributedid.server;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.IdTime;
import io.distributedid.spi.Settings;
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

/** Says what a sequence is, decodes its ids, and compares it with existing ids. These may wait for the stores. */
final class SequenceOperations {

    private static final String SNOWFLAKE = "snowflake";

    private static final Pattern ID = Pattern.compile("[1-9][0-9]{0,18}");

    private final ServedSequences sequences;

    private final ServerSettings settings;

    private final InstantSource clock;

    private final Workers inquiries;

    private final Workers comparisons;

    private final Failures failures;

    /** @param comparisons threads that may wait for the clock to pass an existing id */
    SequenceOperations(
            ServedSequences sequences,
            ServerSettings settings,
            InstantSource clock,
            Workers inquiries,
            Workers comparisons,
            Failures failures) {
        this.sequences = sequences;
        this.settings = settings;
        this.clock = clock;
        this.inquiries = inquiries;
        this.comparisons = comparisons;
        this.failures = failures;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/v1/sequences", Right.READ, this::list),
                Route.get("/v1/sequences/{seq}", Right.READ, this::describe),
                Route.get("/v1/sequences/{seq}/ids/{id}", Right.READ, this::decode),
                Route.post("/v1/sequences/{seq}/above", Right.READ, this::above).withBody(Long.MAX_VALUE));
    }

    private void list(Exchange exchange) {
        exchange.query(List.of());
        exchange.json(
                new JsonObject().put("sequences", new JsonArray(List.copyOf(sequences.names(exchange.caller())))));
    }

    private void describe(Exchange exchange) {
        ServedSequence sequence = sequences.named(exchange.value(0), exchange.caller());
        exchange.query(List.of());
        inquiries.call(exchange, () -> described(sequence), exchange::json);
    }

    /** Its kind, the distance between ids, and counters or layout. */
    private JsonObject described(ServedSequence sequence) throws SQLException {
        sequence.open();
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
        ServedSequence sequence = sequences.named(exchange.value(0), exchange.caller());
        exchange.query(List.of());
        long id = id(exchange.value(1));
        inquiries.call(exchange, () -> decoded(sequence, id), exchange::json);
    }

    private static long id(String text) {
        try {
            if (ID.matcher(text).matches()) {
                return Long.parseLong(text);
            }
        } catch (NumberFormatException e) {
            // More than 2^63-1 has the message of everything else.
        }
        throw Query.notAllowed("id", text, "a number from 1 to " + Long.MAX_VALUE);
    }

    private JsonObject decoded(ServedSequence sequence, long id) {
        DecodedId decoded;
        try {
            decoded = sequence.ids().decode(sequence.name(), id);
        } catch (IllegalArgumentException e) {
            throw new Problem(ProblemType.INVALID_PARAMETER, failures.message(e));
        }
        JsonObject fields = new JsonObject();
        decoded.fields().forEach((name, value) -> fields.put(name, value.toString()));
        JsonObject answer = new JsonObject().put("sequence", sequence.name()).put("id", Long.toString(id));
        decoded.time().ifPresent(time -> answer.put("time", time.toString()));
        return answer.put("fields", fields).put("bits", decoded.bits());
    }

    private void above(Exchange exchange) {
        ServedSequence sequence = sequences.named(exchange.value(0), exchange.caller());
        exchange.query(List.of());
        ExistingIdsBody body = ExistingIdsBody.of(exchange.body());
        exchange.requireOwnPage();
        if (body.raise()) {
            exchange.caller().require(Set.of(Right.RAISE));
        }
        comparisons.call(exchange, () -> compare(sequence, body), none -> exchange.noContent());
    }

    private @Nullable Void compare(ServedSequence sequence, ExistingIdsBody body) throws SQLException {
        DistributedIds ids = sequence.ids();
        sequence.open();
        try {
            if (body.raise()) {
                ids.admin().raise(sequence.name(), Collections.max(body.existing()));
            } else {
                ids.admin().requireAbove(sequence.name(), (step, distance) -> body.existing());
            }
            return null;
        } catch (IdConfigurationException e) {
            throw new Problem(ProblemType.NOT_ABOVE, failures.message(e));
        }
    }
}
