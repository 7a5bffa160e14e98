package io.distributedid.server;

import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.keyed.source.SectionTable;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Gives numbers per key. Those of one request follow each other, so the first and the last say them all. */
record KeyedOperations(Sequences<ServedKeys> sequences) {

    private static final String KEY = "key";

    List<Route> routes() {
        return List.of(
                Route.post("/v1/keyed/{seq}/numbers", Set.of(Right.IDS), this::take),
                Route.get("/v1/keyed/{seq}/numbers", Set.of(Right.READ), this::current),
                // Clients that take numbers need it to find the server of a key.
                Route.get("/v1/keyed/{seq}/table", Set.of(Right.IDS, Right.READ), this::table));
    }

    private void take(Exchange exchange) {
        ServedKeys sequence = named(exchange);
        Query query = exchange.query(KEY, "n", "as", KeyRedirect.PARAMETER);
        String key = sequence.key(query.required(KEY));
        int count = query.number("n", 1, KeyedNumbers.MOST_NUMBERS);
        boolean asNumbers = query.asNumbers();
        sequence.take(
                exchange,
                key,
                count,
                redirects(query),
                last -> exchange.json(new NumbersAnswer(sequence.name(), asNumbers)
                        .put(KEY, key)
                        .put("first", last - count + 1)
                        .put("last", last)
                        .json()));
    }

    private void current(Exchange exchange) {
        ServedKeys sequence = named(exchange);
        Query query = exchange.query(KEY, "bound", "as", KeyRedirect.PARAMETER);
        String key = sequence.key(query.required(KEY));
        boolean asNumbers = query.asNumbers();
        Consumer<Long> then = last -> exchange.json(new NumbersAnswer(sequence.name(), asNumbers)
                .put(KEY, key)
                .put("current", last)
                .json());
        if (query.isSecond("bound", "false", "true")) {
            sequence.bound(exchange, key, redirects(query), then);
        } else {
            sequence.current(exchange, key, redirects(query), then);
        }
    }

    private void table(Exchange exchange) {
        ServedKeys sequence = named(exchange);
        exchange.query();
        Optional<SectionTable> table = sequence.table();
        JsonObject answer = new JsonObject().put("sequence", sequence.name()).put("partitioned", table.isPresent());
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

    private ServedKeys named(Exchange exchange) {
        return sequences.named(exchange.value(0), exchange.caller());
    }

    private static int redirects(Query query) {
        return query.number(KeyRedirect.PARAMETER, 0, KeyRedirect.MOST);
    }
}
