package io.distributedid.server;

import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.keyed.source.SectionTable;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Gives numbers per key. Those of one request follow each other, so the first and the last say them all. */
final class KeyedOperations {

    private static final String KEY = "key";

    private static final List<String> OF_NUMBERS = List.of(KEY, "n", "as", KeyRedirect.PARAMETER);

    private static final List<String> OF_CURRENT = List.of(KEY, "bound", "as", KeyRedirect.PARAMETER);

    private final KeyedSequences sequences;

    KeyedOperations(KeyedSequences sequences) {
        this.sequences = sequences;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/v1/keyed/{seq}/numbers", Right.IDS, this::take),
                Route.get("/v1/keyed/{seq}/numbers", Right.READ, this::current),
                // Clients that take numbers need it to find the server of a key.
                Route.get("/v1/keyed/{seq}/table", Right.READ, this::table).or(Right.IDS));
    }

    private void take(Exchange exchange) {
        ServedKeys sequence = sequences.named(exchange.value(0), exchange.caller());
        Query query = exchange.query(OF_NUMBERS, KEY);
        String key = sequence.key(query.required(KEY));
        int count = query.number("n", 1, KeyedNumbers.MOST_NUMBERS);
        boolean asNumbers = query.isSecond("as", "string", "number");
        sequence.take(exchange, key, count, redirects(query), last -> {
            StringBuilder text = begin(sequence, key);
            add(text, "first", last - count + 1, asNumbers);
            add(text, "last", last, asNumbers);
            exchange.json(Buffer.buffer(text.append('}').toString()));
        });
    }

    private void current(Exchange exchange) {
        ServedKeys sequence = sequences.named(exchange.value(0), exchange.caller());
        Query query = exchange.query(OF_CURRENT, KEY);
        String key = sequence.key(query.required(KEY));
        boolean asNumbers = query.isSecond("as", "string", "number");
        boolean isBound = query.isSecond("bound", "false", "true");
        int redirects = redirects(query);
        Consumer<Long> then = last -> {
            StringBuilder text = begin(sequence, key);
            add(text, "current", last, asNumbers);
            exchange.json(Buffer.buffer(text.append('}').toString()));
        };
        if (isBound) {
            sequence.bound(exchange, key, redirects, then);
        } else {
            sequence.current(exchange, key, redirects, then);
        }
    }

    private static int redirects(Query query) {
        return query.number(KeyRedirect.PARAMETER, 0, KeyRedirect.MOST);
    }

    /** Names of sequences need no escapes in JSON, and keys have no control characters. */
    private static StringBuilder begin(ServedKeys sequence, String key) {
        return new StringBuilder(100 + key.length())
                .append("{\"sequence\":\"")
                .append(sequence.name())
                .append("\",\"key\":\"")
                .append(key.replace("\\", "\\\\").replace("\"", "\\\""))
                .append('"');
    }

    private static void add(StringBuilder text, String name, long number, boolean asNumber) {
        if (asNumber && number > IdOperations.LARGEST_EXACT) {
            throw Query.notAllowed(
                    "as",
                    "number",
                    "string. The numbers of this key have come to " + number + ", and from "
                            + IdOperations.LARGEST_EXACT + " on many JSON readers round them");
        }
        String quote = asNumber ? "" : "\"";
        text.append(",\"")
                .append(name)
                .append("\":")
                .append(quote)
                .append(number)
                .append(quote);
    }

    private void table(Exchange exchange) {
        ServedKeys sequence = sequences.named(exchange.value(0), exchange.caller());
        exchange.query(List.of());
        JsonObject answer = new JsonObject().put("sequence", sequence.name());
        Optional<SectionTable> table = sequence.table();
        answer.put("partitioned", table.isPresent());
        table.ifPresent(known -> add(answer, known));
        exchange.json(answer);
    }

    /** Each address once, and for each section its place among them. */
    private static void add(JsonObject answer, SectionTable table) {
        Map<String, Integer> places = new LinkedHashMap<>();
        JsonArray sections = new JsonArray();
        for (Optional<String> owner : table.owners()) {
            sections.add(owner.map(address -> places.computeIfAbsent(address, each -> places.size()))
                    .orElse(-1));
        }
        answer.put("version", Long.toString(table.version()))
                .put("servers", new JsonArray(List.copyOf(places.keySet())))
                .put("sections", sections);
    }
}
