package io.distributedid.server;

import io.distributedid.spi.Block;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Gives ids, one by one or in blocks. */
final class IdOperations {

    private final Sequences<ServedSequence> sequences;

    private final int maxIds;

    private final int maxBlock;

    IdOperations(Sequences<ServedSequence> sequences, ServerSettings settings) {
        this.sequences = sequences;
        maxIds = settings.number(ServerSettings.MAX_IDS);
        maxBlock = settings.number(ServerSettings.MAX_BLOCK);
    }

    List<Route> routes() {
        return List.of(
                Route.post("/v1/sequences/{seq}/ids", Set.of(Right.IDS), this::ids),
                Route.post("/v1/sequences/{seq}/blocks", Set.of(Right.BLOCKS), this::blocks));
    }

    private void ids(Exchange exchange) {
        ServedSequence sequence = sequences.named(exchange.value(0), exchange.caller());
        Query query = exchange.query("n", "as");
        boolean asNumbers = query.asNumbers();
        sequence.take(exchange, query.number("n", 1, maxIds), ids -> {
            NumbersAnswer answer = new NumbersAnswer(sequence.name(), asNumbers);
            sequence.strictToken().ifPresent(token -> answer.put("token", token));
            exchange.json(answer.put("ids", ids).json());
        });
    }

    private void blocks(Exchange exchange) {
        ServedSequence sequence = sequences.named(exchange.value(0), exchange.caller());
        int asked = exchange.query("count").number("count", 1_000, ServerSettings.MOST_OF_BLOCK);
        // A client may know a former limit.
        int count = Math.min(asked, maxBlock);
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
}
