package io.distributedid.server;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.backend.snowflake.lease.OtherStoreException;
import io.distributedid.backend.snowflake.lease.ServedWorkerStore;
import io.distributedid.backend.snowflake.lease.StoreCondition;
import io.distributedid.backend.snowflake.lease.StoreSnapshot;
import io.distributedid.backend.snowflake.lease.WorkerRow;
import io.distributedid.backend.snowflake.lease.WorkerStore;
import io.distributedid.backend.snowflake.lease.WorkerStoreException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The store of worker numbers, for Snowflake nodes without a database. Each path is one call of the store, see
 * {@link ServedWorkerStore}. Nothing is kept between two requests, and no call is repeated.
 *
 * <p>The store is for one thread at a time, so its {@link Workers} are one thread, which keeps a store that hangs away
 * from other requests too. A request whose caller has gone, or that has waited for {@code timeout}, does not reach the
 * store any more: its caller has repeated it, or asks another server.
 */
final class WorkerOperations {

    private static final Logger LOG = System.getLogger(WorkerOperations.class.getName());

    private static final String RECORD = "record";

    /** That of a sequence, or one of the store's own. Stores write it into paths. */
    private static final Pattern NAME = Pattern.compile("@?[A-Za-z][A-Za-z0-9_-]{0,49}");

    private static final Pattern NUMBER = Pattern.compile("-1|0|[1-9][0-9]{0,18}");

    /** A call of the store. */
    @FunctionalInterface
    private interface Call<T> {

        T run() throws OtherStoreException, WorkerStoreException, InterruptedException;
    }

    private final ServedWorkerStore store;

    private final Workers thread;

    private final Duration longestWait;

    private final Failures failures;

    /**
     * @param thread one thread, which alone calls the store
     * @param longestWait how long a request waits for those before it; callers have the same limit as a rule
     */
    WorkerOperations(ServedWorkerStore store, Workers thread, Duration longestWait, Failures failures) {
        this.store = store;
        this.thread = thread;
        this.longestWait = longestWait;
        this.failures = failures;
    }

    /**
     * Looks at the store once. If it does not answer, the server starts without it: each request tries it again.
     *
     * @throws io.distributedid.IdConfigurationException if the store can't be used as it is set
     */
    void open() {
        try {
            store.record(WorkerStore.STORE_RECORD);
        } catch (WorkerStoreException | IdUnavailableException e) {
            LOG.log(
                    Level.WARNING,
                    "The server starts although its store of worker numbers does not answer. " + failures.message(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while connecting to " + store.label(), e);
        }
    }

    List<Route> routes() {
        return List.of(
                Route.get("/v1/workers/rows", Right.WORKERS, this::rows),
                Route.get("/v1/workers/highest", Right.WORKERS, this::highest),
                Route.post("/v1/workers/rows/{worker}", Right.WORKERS, this::compareAndSet)
                        .withBody(),
                Route.post("/v1/workers/rows/{worker}/renew", Right.WORKERS, this::renew)
                        .withBody(),
                Route.get("/v1/workers/records", Right.WORKERS, this::records),
                Route.get("/v1/workers/records/{name}", Right.WORKERS, this::record),
                Route.post("/v1/workers/records/{name}", Right.WORKERS, this::compareAndSetRecord)
                        .withBody());
    }

    private void rows(Exchange exchange) {
        Query query = exchange.query(List.of("first", "last"));
        long first = number("first", query.text("first").orElse(""));
        long last = number("last", query.text("last").orElse(""));
        if (first > last) {
            throw Query.notAllowed("first", Long.toString(first), "a number up to last=" + last);
        }
        call(exchange, () -> store.read(first, last), page -> exchange.json(answer(page)));
    }

    private static JsonObject answer(ServedWorkerStore.Page page) {
        StoreSnapshot snapshot = page.snapshot();
        JsonArray rows = new JsonArray();
        for (WorkerRow row : snapshot.rows()) {
            rows.add(new JsonObject()
                    .put("worker", Long.toString(row.worker()))
                    .put("owner", row.owner())
                    .put("reservedUntil", Long.toString(row.reservedUntil()))
                    .put("token", row.token()));
        }
        JsonObject answer = new JsonObject()
                .put("storeTime", Long.toString(snapshot.storeTime()))
                .put("rows", rows);
        page.next().ifPresent(next -> answer.put("next", Long.toString(next)));
        return withRecord(answer, snapshot.record());
    }

    private static JsonObject withRecord(JsonObject answer, @Nullable String record) {
        return record == null ? answer : answer.put(RECORD, record);
    }

    private void highest(Exchange exchange) {
        exchange.query(List.of());
        call(
                exchange,
                store::highest,
                answer -> exchange.json(withRecord(
                        new JsonObject().put("highest", answer.value().toString()), answer.record())));
    }

    private void compareAndSet(Exchange exchange) {
        exchange.query(List.of());
        long worker = number("worker", exchange.value(0));
        WorkerBody body = WorkerBody.ofRow(exchange.body());
        String identity = body.store();
        WorkerRow expected = body.expectedRow(worker);
        WorkerRow next = body.nextRow(worker);
        change(exchange, () -> store.compareAndSet(identity, expected, next), done -> exchange.json(done(done)));
    }

    private static JsonObject done(boolean done) {
        return new JsonObject().put("done", done);
    }

    private void renew(Exchange exchange) {
        exchange.query(List.of());
        long worker = number("worker", exchange.value(0));
        WorkerBody body = WorkerBody.ofRenewal(exchange.body());
        WorkerRow expected = body.presentRow(worker);
        WorkerRow next = body.nextRow(worker);
        StoreCondition condition = body.condition();
        change(exchange, () -> store.renew(expected, next, condition), time -> exchange.json(renewed(time)));
    }

    private static JsonObject renewed(OptionalLong time) {
        JsonObject answer = done(time.isPresent());
        time.ifPresent(millis -> answer.put("storeTime", Long.toString(millis)));
        return answer;
    }

    private void records(Exchange exchange) {
        String after = exchange.query(List.of("after")).text("after").orElse("");
        if (!after.isEmpty()) {
            requireName("after", after);
        }
        call(exchange, store::records, answer -> exchange.json(records(answer.value(), after, answer.record())));
    }

    private static JsonObject records(Map<String, String> all, String after, @Nullable String record) {
        Map<String, String> rest = new TreeMap<>(all).tailMap(after, false);
        JsonArray records = new JsonArray();
        rest.entrySet().stream()
                .limit(ServedWorkerStore.MOST_ROWS)
                .forEach(each ->
                        records.add(new JsonObject().put("name", each.getKey()).put("content", each.getValue())));
        return withRecord(new JsonObject().put("records", records).put("more", rest.size() > records.size()), record);
    }

    private void record(Exchange exchange) {
        exchange.query(List.of());
        String name = requireName("name", exchange.value(0));
        call(exchange, () -> store.record(name), answer -> {
            JsonObject found = new JsonObject().put("name", name);
            answer.value().ifPresent(content -> found.put("content", content));
            exchange.json(withRecord(found, answer.record()));
        });
    }

    private void compareAndSetRecord(Exchange exchange) {
        exchange.query(List.of());
        String name = requireName("name", exchange.value(0));
        WorkerBody body = WorkerBody.ofRecord(exchange.body());
        String identity = body.store();
        String expected = body.expectedRecord();
        String next = body.nextRecord();
        change(
                exchange,
                () -> store.compareAndSetRecord(identity, name, expected, next),
                done -> exchange.json(done(done)));
    }

    private static long number(String name, String text) {
        try {
            if (NUMBER.matcher(text).matches()) {
                return Long.parseLong(text);
            }
        } catch (NumberFormatException e) {
            // More than 2^63-1 has the message of everything else.
        }
        throw Query.notAllowed(name, text, "a number from -1 to " + Long.MAX_VALUE);
    }

    private static String requireName(String parameter, String name) {
        if (!NAME.matcher(name).matches()) {
            throw Query.notAllowed(
                    parameter,
                    name,
                    "the name of a sequence, " + WorkerStore.STORE_RECORD + " or " + WorkerStore.EXCLUSIVE_RECORD);
        }
        return name;
    }

    private <T> void change(Exchange exchange, Call<T> call, Consumer<T> then) {
        exchange.requireOwnPage();
        call(exchange, call, then);
    }

    private <T> void call(Exchange exchange, Call<T> call, Consumer<T> then) {
        long began = System.nanoTime();
        thread.call(
                exchange,
                () -> {
                    if (exchange.isGone() || System.nanoTime() - began > longestWait.toNanos()) {
                        throw unavailable("Other requests kept the store for " + longestWait.toMillis() + " ms: "
                                + store.label() + ". Ask again, or another server");
                    }
                    return run(call);
                },
                then);
    }

    private <T> T run(Call<T> call) throws InterruptedException {
        try {
            return call.run();
        } catch (OtherStoreException e) {
            throw new Problem(ProblemType.OTHER_STORE, failures.message(e)).refusal();
        } catch (WorkerStoreException | DistributedIdException e) {
            throw unavailable(failures.message(e));
        }
    }

    private static Problem.Refusal unavailable(String detail) {
        return new Problem(ProblemType.STORE_UNAVAILABLE, detail).refusal();
    }
}
