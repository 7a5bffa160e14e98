package io.distributedid.server;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Block;
import io.distributedid.spi.IdTime;
import io.distributedid.spi.Settings;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives ids, one by one or in blocks; says what a sequence is, decodes its ids, and compares it with existing ids. The
 * last three may wait for the stores, and a comparison for the clock to pass an existing id.
 */
record SequenceOperations(Service service) {

    private static final String SNOWFLAKE = "snowflake";

    private static final String EXISTING = "existing";

    private static final String RAISE = "raise";

    private static final int MOST_EXISTING = 1_000;

    /** What to compare: the largest existing ids, and whether to raise counters that lie below. */
    private record Comparison(List<Long> existing, boolean raises) {}

    List<Route> routes() {
        int maxIds = service.settings().number(ServerSettings.MAX_IDS);
        return List.of(
                Route.post("/v1/sequences/{seq}/ids", Set.of(Right.IDS), exchange -> ids(exchange, maxIds)),
                Route.post("/v1/sequences/{seq}/blocks", Set.of(Right.BLOCKS), this::blocks),
                Route.get("/v1/sequences", Set.of(Right.READ), this::list),
                Route.get("/v1/sequences/{seq}", Set.of(Right.READ), this::describe),
                Route.get("/v1/sequences/{seq}/ids/{id}", Set.of(Right.READ), this::decode),
                Route.post("/v1/sequences/{seq}/above", Set.of(Right.READ), this::above)
                        .withBody(Long.MAX_VALUE));
    }

    private void ids(Exchange exchange, int maxIds) {
        ServedSequence sequence = service.sequences().named(exchange);
        Query query = exchange.query("n", "as");
        boolean asNumbers = query.asNumbers();
        sequence.take(exchange, query.number("n", 1, maxIds), ids -> {
            NumbersAnswer answer = new NumbersAnswer(sequence.name(), asNumbers);
            sequence.strictToken().ifPresent(token -> answer.put("token", token));
            exchange.json(answer.put("ids", ids).json());
        });
    }

    private void blocks(Exchange exchange) {
        ServedSequence sequence = service.sequences().named(exchange);
        int asked = exchange.query("count").number("count", 1_000, ServerSettings.MOST_OF_BLOCK);
        // A client may know a former limit.
        int count = Math.min(asked, service.settings().number(ServerSettings.MAX_BLOCK));
        sequence.takeBlock(exchange, count, taken -> {
            Block block = taken.reserved().block();
            JsonObject answer = new JsonObject().put("sequence", sequence.name());
            taken.token().ifPresent(token -> answer.put("token", token));
            JsonObject written = new JsonObject()
                    .put("first", Long.toString(block.first()))
                    .put("step", Long.toString(block.step()))
                    .put("count", Long.toString(block.count()))
                    .put("ageMillis", roundedUp(taken.reserved().age()));
            exchange.json(answer.put("blocks", new JsonArray().add(written)));
        });
    }

    private static long roundedUp(Duration age) {
        return age.plusNanos(999_999).toMillis();
    }

    private void list(Exchange exchange) {
        exchange.query();
        exchange.json(new JsonObject()
                .put("sequences", new JsonArray(service.sequences().names(exchange.caller()))));
    }

    private void describe(Exchange exchange) {
        ServedSequence sequence = service.sequences().named(exchange);
        exchange.query();
        service.inquiries().call(exchange, () -> described(sequence), exchange::json);
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
                .put("maxIds", service.settings().number(ServerSettings.MAX_IDS));
        if (!sequence.isStrict()) {
            answer.put("maxBlock", service.settings().number(ServerSettings.MAX_BLOCK));
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
        Settings own = Settings.of(service.settings().ofIds()).forSequence(name);
        if (!own.find(CoreSettings.BACKEND).equals(Optional.of(SNOWFLAKE))) {
            return Optional.empty();
        }
        IdLayout layout = LayoutParser.of(own, service.clock().instant());
        return Optional.of(layout.text().replaceFirst(" from .*", ""));
    }

    private void decode(Exchange exchange) {
        ServedSequence sequence = service.sequences().named(exchange);
        exchange.query();
        long id = Query.number("id", exchange.value("id"), Long.MAX_VALUE);
        service.inquiries().call(exchange, () -> decoded(sequence, id), exchange::json);
    }

    private JsonObject decoded(ServedSequence sequence, long id) {
        DecodedId decoded;
        try {
            decoded = sequence.ids().decode(sequence.name(), id);
        } catch (IllegalArgumentException e) {
            throw new Problem(ProblemType.INVALID_PARAMETER, service.text().of(e));
        }
        JsonObject fields = new JsonObject();
        decoded.fields().forEach((name, value) -> fields.put(name, value.toString()));
        JsonObject answer = new JsonObject().put("sequence", sequence.name()).put("id", Long.toString(id));
        decoded.time().ifPresent(time -> answer.put("time", time.toString()));
        return answer.put("fields", fields).put("bits", decoded.bits());
    }

    private void above(Exchange exchange) {
        ServedSequence sequence = service.sequences().named(exchange);
        exchange.query();
        Comparison comparison = comparison(exchange.body());
        BrowserRequest.requireOwnPage(exchange.request());
        if (comparison.raises) {
            exchange.caller().require(Set.of(Right.RAISE));
        }
        service.comparisons()
                .call(exchange, () -> compare(sequence, comparison), none -> exchange.send(204, null, null));
    }

    private @Nullable Void compare(ServedSequence sequence, Comparison comparison) throws SQLException {
        IdAdmin admin = sequence.ids().admin();
        sequence.look();
        try {
            if (comparison.raises) {
                admin.raise(sequence.name(), Collections.max(comparison.existing));
            } else {
                admin.requireAbove(sequence.name(), (step, distance) -> comparison.existing);
            }
            return null;
        } catch (IdConfigurationException e) {
            throw new Problem(ProblemType.NOT_ABOVE, service.text().of(e));
        }
    }

    private static Comparison comparison(Buffer body) {
        try {
            JsonObject object = new JsonObject(body);
            List<Long> existing = object.getJsonArray(EXISTING, new JsonArray()).stream()
                    .map(id -> Long.valueOf((String) id))
                    .toList();
            if (Set.of(EXISTING, RAISE).containsAll(object.fieldNames())
                    && !existing.isEmpty()
                    && existing.size() <= MOST_EXISTING) {
                return new Comparison(existing, object.getBoolean(RAISE, false));
            }
        } catch (DecodeException | ClassCastException | NumberFormatException | NullPointerException e) {
            // Refused as everything else of another form.
        }
        throw new Problem(
                ProblemType.INVALID_BODY,
                "The body of the request is not as described: " + Problem.quoted(body.toString())
                        + ", allowed: 1 to " + MOST_EXISTING
                        + " ids as texts of up to 64 bits, as in {\"existing\":[\"5000\",\"17\"],\"raise\":false}");
    }
}
