package io.distributedid.backend.snowflake.lease;

import io.distributedid.internal.http.Json;
import io.distributedid.internal.http.JsonObject;
import io.distributedid.internal.http.ServiceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Worker numbers of an issuing service, whose servers have the store, see {@link ServedWorkerStore}. Nothing is kept
 * here or there, so every answer is the store's own:
 *
 * <pre>
 * GET  /v1/workers/rows?first=0&amp;last=1023
 * POST /v1/workers/rows/7          {"store":"token=0b1c","expected":{...},"next":{...}}
 * POST /v1/workers/rows/7/renew    {"expected":{...},"next":{...},"record":"token=0b1c ...","earliest":"...","latest":"..."}
 * GET  /v1/workers/records/photos
 * POST /v1/workers/records/photos  {"store":"token=0b1c","expected":null,"next":"..."}
 * </pre>
 *
 * <ul>
 *   <li>The store time is that of the store behind the server, in the same answer as the rows.
 *   <li>A reading may ask several servers. A change is sent once, see {@link StoreServers}.
 *   <li>A store that has lost its record may be another one: servers are set to a wrong table more easily than all
 *       processes. So this object reads no store without a record once it has read one with it, and does not write the
 *       former token there. It closes the store instead: it writes a first record with a new token, and no process
 *       takes a number before all windows of the former store are over. That is safe for a store that was emptied, and
 *       for a wrong one.
 *   <li>A change holds the identity of the store as this object has read it last, or written it. A server whose store
 *       has another one refuses: what was read there does not hold here.
 * </ul>
 */
final class HttpWorkerStore implements WorkerStore {

    private static final String ROWS = "/v1/workers/rows";

    private static final String RECORDS = "/v1/workers/records";

    /** Some rows, all as they were at {@code storeTime} or later. */
    private record Page(List<WorkerRow> rows, long storeTime, OptionalLong next) {}

    private record RecordPage(Map<String, String> records, boolean hasMore) {}

    private final StoreServers servers;

    private final String label;

    /** Of the store as it was read or written last; null before. */
    private @Nullable String identity;

    /** The store's record as it was read or written last; null if there was none. */
    private @Nullable String known;

    /**
     * Connects at the first call.
     *
     * @param settings for messages
     * @param timeout the limit of each call; of each page if there are more than a thousand rows
     */
    HttpWorkerStore(ServiceSettings settings, ServiceSettings.Service service, Duration timeout) {
        servers = new StoreServers(settings, service, timeout);
        label = "worker numbers of " + servers.label();
    }

    @Override
    public StoreSnapshot read(long first, long last) throws WorkerStoreException, InterruptedException {
        ServedWorkerStore.Answer<Page> answer = rows(first, last);
        long storeTime = answer.value().storeTime;
        List<WorkerRow> rows = new ArrayList<>(answer.value().rows);
        while (answer.value().next.isPresent()) {
            String before = StoreRecord.identity(answer.record());
            answer = rows(answer.value().next.getAsLong(), last);
            if (!StoreRecord.identity(answer.record()).equals(before)) {
                throw new WorkerStoreException(
                        label + " became those of another store while they were read. Read them" + " again");
            }
            rows.addAll(answer.value().rows);
        }
        return new StoreSnapshot(List.copyOf(rows), storeTime, answer.record());
    }

    private ServedWorkerStore.Answer<Page> rows(long first, long last)
            throws WorkerStoreException, InterruptedException {
        return get(ROWS + "?first=" + first + "&last=" + last, answer -> page(answer, first, last));
    }

    private static Page page(JsonObject answer, long first, long last) {
        List<WorkerRow> rows = new ArrayList<>();
        long least = first;
        for (JsonObject each : answer.objects("rows")) {
            WorkerRow row =
                    new WorkerRow(each.id("worker"), each.text("owner"), each.id("reservedUntil"), each.text("token"));
            requireBetween("worker", row.worker(), least, last);
            rows.add(row);
            // No row follows the largest number, which no other number exceeds.
            least = row.worker() == Long.MAX_VALUE ? row.worker() : row.worker() + 1;
        }
        OptionalLong next = answer.findId("next").map(OptionalLong::of).orElseGet(OptionalLong::empty);
        if (next.isPresent()) {
            requireBetween("next", next.getAsLong(), Math.max(least, first + 1), last);
        }
        long storeTime = answer.id("storeTime");
        requireBetween("storeTime", storeTime, 1, Long.MAX_VALUE);
        return new Page(rows, storeTime, next);
    }

    private static void requireBetween(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + "=" + value + " must be from " + least + " to " + most);
        }
    }

    @Override
    public long highest() throws WorkerStoreException, InterruptedException {
        return get("/v1/workers/highest", answer -> {
                    long highest = answer.id("highest");
                    requireBetween("highest", highest, -1, Long.MAX_VALUE);
                    return highest;
                })
                .value();
    }

    @Override
    public boolean compareAndSet(@Nullable WorkerRow expected, WorkerRow next)
            throws WorkerStoreException, InterruptedException {
        String body = change(expected == null ? "null" : text(expected), text(next));
        return servers.change(ROWS + "/" + next.worker(), body, HttpWorkerStore::isDone);
    }

    private static boolean isDone(JsonObject answer) {
        return answer.flag("done");
    }

    private static String text(WorkerRow row) {
        return "{\"owner\":" + Json.quoted(row.owner()) + ",\"reservedUntil\":\"" + row.reservedUntil()
                + "\",\"token\":" + Json.quoted(row.token()) + "}";
    }

    private String change(String expected, String next) throws WorkerStoreException, InterruptedException {
        if (identity == null) {
            Optional<String> unused = record(STORE_RECORD);
        }
        return "{\"store\":" + Json.quoted(String.valueOf(identity)) + ",\"expected\":" + expected + ",\"next\":" + next
                + "}";
    }

    @Override
    public OptionalLong renew(WorkerRow expected, WorkerRow next, StoreCondition condition)
            throws WorkerStoreException, InterruptedException {
        String body = "{\"expected\":" + text(expected) + ",\"next\":" + text(next) + ",\"record\":"
                + Json.quoted(condition.record()) + ",\"earliest\":\"" + condition.earliest() + "\",\"latest\":\""
                + condition.latest() + "\"}";
        return servers.change(ROWS + "/" + next.worker() + "/renew", body, answer -> renewed(answer, condition));
    }

    private static OptionalLong renewed(JsonObject answer, StoreCondition condition) {
        if (!isDone(answer)) {
            return OptionalLong.empty();
        }
        long storeTime = answer.id("storeTime");
        requireBetween("storeTime", storeTime, condition.earliest(), condition.latest());
        return OptionalLong.of(storeTime);
    }

    @Override
    public Optional<String> record(String name) throws WorkerStoreException, InterruptedException {
        return get(RECORDS + "/" + name, answer -> answer.find("content")).value();
    }

    @Override
    public Map<String, String> records() throws WorkerStoreException, InterruptedException {
        TreeMap<String, String> all = new TreeMap<>();
        boolean hasMore = true;
        while (hasMore) {
            String after = all.isEmpty() ? "" : all.lastKey();
            RecordPage page = get(
                            RECORDS + (after.isEmpty() ? "" : "?after=" + after), answer -> recordPage(answer, after))
                    .value();
            all.putAll(page.records);
            hasMore = page.hasMore;
        }
        return all;
    }

    private static RecordPage recordPage(JsonObject answer, String after) {
        TreeMap<String, String> records = new TreeMap<>();
        answer.objects("records").forEach(each -> records.put(each.text("name"), each.text("content")));
        boolean hasMore = answer.flag("more");
        if (records.isEmpty() ? hasMore : records.firstKey().compareTo(after) <= 0) {
            throw new IllegalArgumentException("records must have names above " + after);
        }
        return new RecordPage(records, hasMore);
    }

    @Override
    public boolean compareAndSetRecord(String name, @Nullable String expected, String next)
            throws WorkerStoreException, InterruptedException {
        String path = RECORDS + "/" + name;
        String body = change(expected == null ? "null" : Json.quoted(expected), Json.quoted(next));
        boolean isStore = name.equals(STORE_RECORD);
        boolean done = (isStore && expected == null)
                ? servers.create(path, body, HttpWorkerStore::isDone)
                : servers.change(path, body, HttpWorkerStore::isDone);
        if (done && isStore) {
            identity = StoreRecord.identity(next);
            known = next;
        }
        return done;
    }

    @Override
    public Map<String, String> failures() throws WorkerStoreException, InterruptedException {
        return servers.failures();
    }

    private <T> ServedWorkerStore.Answer<T> get(String path, Function<JsonObject, T> value)
            throws WorkerStoreException, InterruptedException {
        ServedWorkerStore.Answer<T> answer = servers.read(path, value);
        String found = StoreRecord.identity(answer.record());
        if (found.isEmpty() && identity != null && !identity.isEmpty()) {
            throw emptied(identity);
        }
        identity = found;
        known = answer.record();
        return answer;
    }

    private WorkerStoreException emptied(String before) throws InterruptedException {
        String what = "The store of worker numbers was emptied, or is another one now: " + label
                + " without a record, it was " + before + ". No number is leased from it. Bring the right store"
                + " back at the servers; or stop all processes, wait until their windows are over, and start them"
                + " again";
        try {
            closeEmptied();
            return new WorkerStoreException(what);
        } catch (WorkerStoreException e) {
            // The next call tries again.
            return new WorkerStoreException(
                    what + ". Processes that start do not know of these windows yet: " + e.getMessage(), e);
        }
    }

    /** Writes the first record of a store where no number is taken before all windows of the former one are over. */
    private void closeEmptied() throws WorkerStoreException, InterruptedException {
        StoreRecord former = StoreRecord.parse(known).orElseThrow();
        ServedWorkerStore.Answer<Page> now = servers.read(ROWS + "?first=0&last=0", answer -> page(answer, 0, 0));
        if (now.record() != null) {
            return;
        }
        StoreRecord closed = StoreRecord.first(UUID.randomUUID().toString(), former.window())
                .closedUntil(now.value().storeTime + former.overMillis())
                .burning(former.burnt());
        String body = change("null", Json.quoted(closed.text()));
        // If it is not done, another process has written a record.
        boolean unused = servers.create(RECORDS + "/" + STORE_RECORD, body, HttpWorkerStore::isDone);
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public void stop() {
        servers.stop();
    }

    @Override
    public void cut() {
        servers.cut();
    }

    @Override
    public void close() {
        servers.close();
    }
}
