package io.distributedid.server;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Says what a sequence is, decodes its ids, and compares it with existing ids. These may wait for the stores. */
final class SequenceOperations {

    private static final Pattern ID = Pattern.compile("[1-9][0-9]{0,18}");

    private final ServedSequences sequences;

    private final SequenceDescription description;

    private final Workers inquiries;

    private final Workers comparisons;

    private final Failures failures;

    /** @param comparisons threads that may wait for the clock to pass an existing id */
    SequenceOperations(
            ServedSequences sequences,
            SequenceDescription description,
            Workers inquiries,
            Workers comparisons,
            Failures failures) {
        this.sequences = sequences;
        this.description = description;
        this.inquiries = inquiries;
        this.comparisons = comparisons;
        this.failures = failures;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/v1/sequences", Right.READ, this::list),
                Route.get("/v1/sequences/{seq}", Right.READ, this::describe),
                Route.get("/v1/sequences/{seq}/ids/{id}", Right.READ, this::decode),
                Route.post("/v1/sequences/{seq}/above", Right.READ, this::above).withBody());
    }

    private void list(Exchange exchange) {
        exchange.query(List.of());
        exchange.json(
                new JsonObject().put("sequences", new JsonArray(List.copyOf(sequences.names(exchange.caller())))));
    }

    private void describe(Exchange exchange) {
        ServedSequence sequence = sequences.named(exchange.value(0), exchange.caller());
        exchange.query(List.of());
        inquiries.call(exchange, () -> description.of(sequence), exchange::json);
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
            throw new Problem(ProblemType.INVALID_PARAMETER, failures.message(e)).refusal();
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
        comparisons.call(exchange, () -> compared(sequence, body), problem -> {
            if (problem.isPresent()) {
                exchange.refuse(problem.get());
            } else {
                exchange.noContent();
            }
        });
    }

    private Optional<Problem> compared(ServedSequence sequence, ExistingIdsBody body) throws SQLException {
        DistributedIds ids = sequence.ids();
        sequence.open();
        try {
            if (body.raise()) {
                ids.raiseAbove(sequence.name(), Collections.max(body.existing()));
            } else {
                ids.requireAbove(sequence.name(), (step, distance) -> body.existing());
            }
            return Optional.empty();
        } catch (IdConfigurationException e) {
            return Optional.of(new Problem(ProblemType.NOT_ABOVE, failures.message(e)));
        }
    }
}
