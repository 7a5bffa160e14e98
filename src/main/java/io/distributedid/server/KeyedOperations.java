package io.distributedid.server;

import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.keyed.source.SectionTable;
import io.distributedid.internal.service.ServiceAddress;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Gives numbers per key. Those of one request follow each other, so the first and the last say them all.
 *
 * <p>A caller is sent to the server that gives the numbers of a key: 307 with its address, so that the same request
 * follows. While sections move, two servers may each name the other. So the address counts the servers that were asked,
 * and the last one answers 503 instead.
 */
record KeyedOperations(Service service) {

    private static final String KEY = "key";

    private static final String REDIRECTS = "redirects";

    private static final int MOST_REDIRECTS = 3;

    private static final Pattern WRITTEN = Pattern.compile("&" + REDIRECTS + "=[^&]*|^" + REDIRECTS + "=[^&]*&");

    List<Route> routes() {
        return List.of(
                Route.post("/v1/keyed/{seq}/numbers", Set.of(Right.IDS), this::take),
                Route.get("/v1/keyed/{seq}/numbers", Set.of(Right.READ), this::current),
                // Clients that take numbers need it to find the server of a key.
                Route.get("/v1/keyed/{seq}/table", Set.of(Right.IDS, Right.READ), this::table));
    }

    private void take(Exchange exchange) {
        ServedKeys sequence = service.numbers().named(exchange);
        Query query = exchange.query(KEY, "n", "as", REDIRECTS);
        String key = sequence.key(query.required(KEY));
        int count = query.number("n", 1, KeyedNumbers.MOST_NUMBERS);
        boolean asNumbers = query.asNumbers();
        sequence.ask(
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
        ServedKeys sequence = service.numbers().named(exchange);
        Query query = exchange.query(KEY, "bound", "as", REDIRECTS);
        String key = sequence.key(query.required(KEY));
        boolean asNumbers = query.asNumbers();
        Consumer<Long> then = last -> exchange.json(new NumbersAnswer(sequence.name(), asNumbers)
                .put(KEY, key)
                .put("current", last)
                .json());
        if (query.isSecond("bound", "false", "true")) {
            sequence.bound(exchange, key, redirects(query), then);
        } else {
            sequence.ask(exchange, key, 0, redirects(query), then);
        }
    }

    /** Each address once, and for each section its place among them. */
    private void table(Exchange exchange) {
        ServedKeys sequence = service.numbers().named(exchange);
        exchange.query();
        Optional<SectionTable> table = sequence.table();
        JsonObject answer = new JsonObject().put("sequence", sequence.name()).put("partitioned", table.isPresent());
        table.ifPresent(known -> {
            Map<String, Integer> places = new LinkedHashMap<>();
            JsonArray sections = new JsonArray();
            for (Optional<String> owner : known.owners()) {
                sections.add(owner.map(address -> places.computeIfAbsent(address, each -> places.size()))
                        .orElse(-1));
            }
            answer.put("version", Long.toString(known.version()))
                    .put("servers", new JsonArray(List.copyOf(places.keySet())))
                    .put("sections", sections);
        });
        exchange.json(answer);
    }

    private static int redirects(Query query) {
        return query.number(REDIRECTS, 0, MOST_REDIRECTS);
    }

    /**
     * The answer to a request for a key of another server.
     *
     * @param target the path of the request, with its parameters
     * @param detail who gives its numbers
     * @param owner the address of that server, as it names itself
     * @param redirects how often the request was sent to another server already
     */
    static Problem redirect(String target, String detail, String owner, int redirects, Optional<SectionTable> table) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (!owner.isEmpty()) {
            members.put(Problem.ACTIVE, owner);
        }
        table.ifPresent(known -> members.put(Problem.TABLE, Long.toString(known.version())));
        Optional<URI> address = ServiceAddress.parse(owner);
        if (address.isEmpty() || redirects >= MOST_REDIRECTS) {
            return new Problem(ProblemType.STANDBY, detail, members);
        }
        int end = target.indexOf('?') + 1;
        String others = WRITTEN.matcher(target.substring(end)).replaceAll("");
        members.put(
                Problem.LOCATION,
                address.get() + target.substring(0, end) + others + "&" + REDIRECTS + "=" + (redirects + 1));
        return new Problem(ProblemType.OTHER_SERVER, detail, members);
    }
}
