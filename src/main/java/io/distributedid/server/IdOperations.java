package io.distributedid.server;

import io.distributedid.spi.Block;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;

/** Gives ids, one by one or in blocks. */
final class IdOperations {

    /** JavaScript and others read larger numbers as their neighbours, so that two ids would become one. */
    static final long LARGEST_EXACT = (1L << 53) - 1;

    private static final List<String> OF_IDS = List.of("n", "as");

    private static final List<String> OF_BLOCKS = List.of("count");

    private final ServedSequences sequences;

    private final int maxIds;

    private final int maxBlock;

    IdOperations(ServedSequences sequences, ServerSettings settings) {
        this.sequences = sequences;
        maxIds = settings.number(ServerSettings.MAX_IDS);
        maxBlock = settings.number(ServerSettings.MAX_BLOCK);
    }

    List<Route> routes() {
        return List.of(
                Route.post("/v1/sequences/{seq}/ids", Right.IDS, this::ids),
                Route.post("/v1/sequences/{seq}/blocks", Right.BLOCKS, this::blocks));
    }

    private void ids(Exchange exchange) {
        ServedSequence sequence = sequences.named(exchange.value(0), exchange.caller());
        Query query = exchange.query(OF_IDS);
        int count = query.number("n", 1, maxIds);
        boolean asNumbers = query.isSecond("as", "string", "number");
        sequence.take(exchange, count, ids -> exchange.json(answer(sequence, ids, asNumbers)));
    }

    /** Names of sequences and tokens need no escapes in JSON. */
    private static Buffer answer(ServedSequence sequence, long[] ids, boolean asNumbers) {
        String quote = asNumbers ? "" : "\"";
        StringBuilder text = new StringBuilder(100 + 22 * ids.length)
                .append("{\"sequence\":\"")
                .append(sequence.name());
        sequence.strictToken().ifPresent(token -> text.append("\",\"token\":\"").append(token));
        text.append("\",\"ids\":[");
        String separator = "";
        for (long id : ids) {
            if (asNumbers && id > LARGEST_EXACT) {
                throw tooLarge(id);
            }
            text.append(separator).append(quote).append(id).append(quote);
            separator = ",";
        }
        return Buffer.buffer(text.append("]}").toString());
    }

    private static Problem tooLarge(long id) {
        return Query.notAllowed(
                "as",
                "number",
                "string. The ids of this sequence have come to " + id + ", and from " + LARGEST_EXACT
                        + " on many JSON readers round numbers, so that two ids become one. The ids of this request are"
                        + " not used");
    }

    private void blocks(Exchange exchange) {
        ServedSequence sequence = sequences.named(exchange.value(0), exchange.caller());
        int asked = exchange.query(OF_BLOCKS).number("count", 1_000, ServerSettings.MOST_OF_BLOCK);
        // A client may know a former limit.
        int count = Math.min(asked, maxBlock);
        sequence.takeBlock(exchange, count, block -> exchange.json(answer(sequence, block)));
    }

    private static JsonObject answer(ServedSequence sequence, ServedSequence.TakenBlock taken) {
        Block block = taken.reserved().block();
        JsonObject answer = new JsonObject().put("sequence", sequence.name());
        taken.token().ifPresent(token -> answer.put("token", token));
        return answer.put(
                "blocks",
                new JsonArray()
                        .add(new JsonObject()
                                .put("first", Long.toString(block.first()))
                                .put("step", Long.toString(block.step()))
                                .put("count", Long.toString(block.count()))
                                .put("ageMillis", roundedUp(taken.reserved().age()))));
    }

    private static long roundedUp(Duration age) {
        return age.plusNanos(999_999).toMillis();
    }
}
