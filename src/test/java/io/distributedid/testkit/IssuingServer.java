package io.distributedid.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.Block;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.ReservedBlock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.net.ssl.SSLContext;

/**
 * A server of an issuing service, version 1 of its protocol, in the JVM of a test and on loopback. Its ids come from a
 * {@link DistributedIds}. It can hang, fail, lose its answers, and lie. It serves each sequence whose name does not
 * begin with {@code unknown}.
 */
public final class IssuingServer implements AutoCloseable {

    private static final Pattern PATH =
            Pattern.compile("/v1/sequences/([A-Za-z][A-Za-z0-9_-]*)(?:/(ids|blocks|above)(?:/(\\d+))?)?");

    private static final Pattern NUMBER = Pattern.compile("\"(-?\\d+)\"");

    private static final String PROBLEMS = "https://distributedid.io/problems/";

    /** An answer: its status, and its body as JSON. */
    public record Answer(int status, String body) {

        /** A good one. */
        public static Answer ok(String body) {
            return new Answer(200, body);
        }

        /** A problem, with further members perhaps, as in {@code ,"active":"http://ids1:8443"}. */
        public static Answer problem(int status, String type, String detail, String... more) {
            return new Answer(
                    status,
                    "{\"type\":\"" + PROBLEMS + type + "\",\"title\":\"" + type + "\",\"status\":" + status
                            + ",\"detail\":\"" + detail.replace("\\", "\\\\").replace("\"", "\\\"") + "\""
                            + String.join("", more) + "}");
        }
    }

    /** What is done with a request in place of the usual. */
    @FunctionalInterface
    public interface Fault {

        /** Returns the answer; null to end the connection without one. {@code usual} does what the server does else. */
        Answer handle(String request, Usual usual) throws Exception;
    }

    /** What the server does with a request. */
    @FunctionalInterface
    public interface Usual {

        Answer answer();
    }

    static {
        // Otherwise head and body of an answer are 40 ms apart.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private static final Fault NONE = (request, usual) -> usual.answer();

    private final DistributedIds ids;

    private final HttpServer server;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final CountDownLatch closed = new CountDownLatch(1);

    private final List<String> requests = new CopyOnWriteArrayList<>();

    /** One request at a time reads ids in strict order. */
    private final ReentrantLock strict = new ReentrantLock();

    private volatile Fault fault = NONE;

    private volatile String kind = "blocks";

    private volatile String layout = "";

    private volatile String needed = "";

    private volatile String standbyOf = "";

    private volatile UnaryOperator<String> token = token -> token;

    private volatile LongSupplier age = () -> 0;

    private IssuingServer(DistributedIds ids, HttpServer server) {
        this.ids = ids;
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
        ServerScope.add(this);
    }

    /** Begins to serve at a port of its own. The caller closes the ids. */
    public static IssuingServer start(DistributedIds ids) {
        return start(ids, Ports.take());
    }

    /** Begins to serve at a port. */
    public static IssuingServer start(DistributedIds ids, int port) {
        try {
            return new IssuingServer(ids, HttpServer.create(address(port), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins to serve with TLS. */
    public static IssuingServer start(DistributedIds ids, SSLContext tls) {
        try {
            HttpsServer server = HttpsServer.create(address(Ports.take()), 0);
            server.setHttpsConfigurator(new HttpsConfigurator(tls));
            return new IssuingServer(ids, server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** What a client sets as its server. */
    public String url() {
        return (server instanceof HttpsServer ? "https://localhost:" : "http://127.0.0.1:") + port();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Sequences in strict order, {@code composed} ones, or {@code blocks}. */
    public IssuingServer kind(String text) {
        kind = text;
        return this;
    }

    /** Its ids hold the time. */
    public IssuingServer layout(String fields, String epoch) {
        kind = "composed";
        layout = ",\"layout\":\"" + fields + "\",\"epoch\":\"" + epoch + "\"";
        return this;
    }

    /** Refuses requests without this token. */
    public IssuingServer needs(String bearer) {
        needed = bearer;
        return this;
    }

    /** Says that another server is active; empty: this one is. */
    public void standbyOf(String url) {
        standbyOf = url;
    }

    /** Answers another token of the id space. */
    public void token(UnaryOperator<String> change) {
        token = change;
    }

    /** What is added to the age of each block, in milliseconds. */
    public void age(LongSupplier millis) {
        age = millis;
    }

    /** From now on each request has this fault. */
    public void fault(Fault next) {
        fault = next;
    }

    /** Each request for ids has this fault. */
    public void faultOfIds(Fault next) {
        fault((request, usual) -> isForIds(request) ? next.handle(request, usual) : usual.answer());
    }

    /** From now on all is well. */
    public void recover() {
        fault = NONE;
    }

    /** Answers nothing until the server is closed. */
    public Answer hang() throws InterruptedException {
        closed.await();
        return null;
    }

    /** Can't issue ids now. */
    public static Answer unavailable(String detail) {
        return Answer.problem(503, "unavailable", detail);
    }

    /** Each as in {@code POST /v1/sequences/photos/blocks?count=16}. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    public List<String> requestsForIds() {
        return requests.stream().filter(IssuingServer::isForIds).toList();
    }

    private static boolean isForIds(String request) {
        return request.contains("/blocks?") || request.contains("/ids?");
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            requests.add(request);
            Answer answer = fault.handle(request, () -> answer(exchange, body));
            if (answer == null) {
                return;
            }
            byte[] bytes = answer.body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders()
                    .set(
                            "Content-Type",
                            answer.status < 300 ? "application/json; charset=utf-8" : "application/problem+json");
            exchange.sendResponseHeaders(answer.status, bytes.length == 0 ? -1 : bytes.length);
            if (bytes.length > 0) {
                exchange.getResponseBody().write(bytes);
            }
        } catch (IOException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private Answer answer(HttpExchange exchange, String body) {
        String bearer = exchange.getRequestHeaders().getFirst("Authorization");
        if (!needed.isEmpty() && !("Bearer " + needed).equals(bearer)) {
            return Answer.problem(401, "unauthenticated", "A request must have a token that the service knows");
        }
        Matcher path = PATH.matcher(exchange.getRequestURI().getPath());
        if (!path.matches()) {
            return Answer.problem(404, "unknown-path", "There is no such path");
        }
        String sequence = path.group(1);
        if (sequence.startsWith("unknown")) {
            return Answer.problem(
                    404,
                    "unknown-sequence",
                    "There is no such sequence: sequence=" + sequence + ", allowed: photos",
                    ",\"nearest\":\"photos\"");
        }
        try {
            return answer(exchange, path, sequence, body);
        } catch (IdUnavailableException e) {
            return unavailable(e.getMessage());
        }
    }

    private Answer answer(HttpExchange exchange, Matcher path, String sequence, String body) {
        String what = exchange.getRequestMethod() + " " + (path.group(2) == null ? "" : path.group(2));
        long number = number(exchange.getRequestURI().getQuery());
        return switch (what) {
            case "GET " -> description(sequence);
            case "GET ids" -> decoded(sequence, Long.parseLong(path.group(3)));
            case "POST ids" -> ids(sequence, Math.toIntExact(number));
            case "POST blocks" ->
                kind.equals("strict")
                        ? Answer.problem(409, "no-blocks", "A sequence in strict order has no blocks")
                        : blocks(sequence, number);
            case "POST above" -> above(sequence, body);
            default -> Answer.problem(405, "method-not-allowed", "Not so");
        };
    }

    private static long number(String query) {
        return query == null ? 1 : Long.parseLong(query.substring(query.indexOf('=') + 1));
    }

    private String tokenOf(String sequence) {
        ids.sequence(sequence);
        String said = token.apply(ids.admin().token(sequence).orElse(""));
        return said.isEmpty() ? "" : ",\"token\":\"" + said + "\"";
    }

    private Answer description(String sequence) {
        ids.sequence(sequence);
        String more = layout.isEmpty()
                ? ",\"counters\":{"
                        + ids.admin().counters(sequence).lastIds().entrySet().stream()
                                .map(each -> "\"" + each.getKey() + "\":\"" + each.getValue() + "\"")
                                .collect(Collectors.joining(","))
                        + "}"
                : layout;
        return Answer.ok("{\"sequence\":\"" + sequence + "\",\"kind\":\"" + kind
                + "\",\"step\":\"1\",\"maxDistance\":\"10000000\"" + tokenOf(sequence) + more + "}");
    }

    private Answer decoded(String sequence, long id) {
        DecodedId decoded = ids.decode(sequence, id);
        return Answer.ok("{\"sequence\":\"" + sequence + "\",\"id\":\"" + id + "\",\"fields\":{"
                + decoded.fields().entrySet().stream()
                        .map(each -> "\"" + each.getKey() + "\":\"" + each.getValue() + "\"")
                        .collect(Collectors.joining(","))
                + "}}");
    }

    private Answer ids(String sequence, int count) {
        if (!standbyOf.isEmpty()) {
            return standby();
        }
        strict.lock();
        try {
            String said = kind.equals("strict") ? tokenOf(sequence) : "";
            return Answer.ok("{\"sequence\":\"" + sequence + "\"" + said + ",\"ids\":["
                    + LongStream.of(ids.next(sequence, count))
                            .sorted()
                            .mapToObj(id -> "\"" + id + "\"")
                            .collect(Collectors.joining(","))
                    + "]}");
        } finally {
            strict.unlock();
        }
    }

    private Answer blocks(String sequence, long count) {
        IdSource source = ids.sequence(sequence);
        List<String> blocks = new ArrayList<>();
        long left = count;
        while (left > 0) {
            ReservedBlock reserved = source.nextBlock(left);
            Block block = reserved.block();
            long millis = reserved.age().plusNanos(999_999).toMillis() + age.getAsLong();
            blocks.add("{\"first\":\"" + block.first() + "\",\"step\":\"" + block.step() + "\",\"count\":\""
                    + block.count() + "\",\"ageMillis\":" + millis + "}");
            left -= block.count();
        }
        return Answer.ok("{\"sequence\":\"" + sequence + "\"" + tokenOf(sequence) + ",\"blocks\":["
                + String.join(",", blocks) + "]}");
    }

    private Answer standby() {
        return Answer.problem(503, "standby", "Another server is active", ",\"active\":\"" + standbyOf + "\"");
    }

    private Answer above(String sequence, String body) {
        boolean raise = body.contains("\"raise\":true");
        if (raise && !standbyOf.isEmpty()) {
            return standby();
        }
        try {
            NUMBER.matcher(body)
                    .results()
                    .map(each -> Long.parseLong(each.group(1)))
                    .forEach(id -> {
                        if (raise) {
                            ids.admin().raise(sequence, id);
                        } else {
                            ids.admin().requireAbove(sequence, id);
                        }
                    });
            return new Answer(204, "");
        } catch (IdConfigurationException e) {
            return Answer.problem(409, "not-above", e.getMessage());
        }
    }

    /** Ends the connections too. */
    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    /** The settings of ids for such a server, from an H2 database. */
    public static Map<String, Object> settings(String jdbcUrl) {
        return Map.of(
                "distributedid.backend", "sequence_table",
                "distributedid.sequence_table.servers", jdbcUrl,
                "distributedid.create_tables", true,
                "distributedid.timeout", "30s",
                "distributedid.block.timeout", "30s");
    }
}
