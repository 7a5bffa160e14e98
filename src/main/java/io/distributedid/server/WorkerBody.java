package io.distributedid.server;

import io.distributedid.backend.snowflake.lease.StoreCondition;
import io.distributedid.backend.snowflake.lease.WorkerRow;
import io.distributedid.backend.snowflake.lease.WorkerStore;
import io.distributedid.internal.http.JsonObject;
import io.vertx.core.buffer.Buffer;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request that changes the store of worker numbers. Every member is required, and none may be repeated.
 * Texts are as short as the table of a store requires, and are printable, because other processes log them. Immutable;
 * every method throws {@link Problem.Refusal} if a member has another form.
 */
final class WorkerBody {

    private static final String ROW = "{\"owner\":\"app1\",\"reservedUntil\":\"1763733600000\",\"token\":\"0b1c\"}";

    private static final String STORE = "store";

    private static final String EXPECTED = "expected";

    private static final String NEXT = "next";

    private static final Form OF_ROW = new Form(
            Set.of(STORE, EXPECTED, NEXT),
            "{\"store\":\"token=7d21\",\"expected\":null,\"next\":" + ROW + "}, or a row as expected");

    private static final Form OF_RENEWAL = new Form(
            Set.of(EXPECTED, NEXT, "record", "earliest", "latest"),
            "{\"expected\":" + ROW + ",\"next\":" + ROW
                    + ",\"record\":\"token=7d21 window=...\",\"earliest\":\"0\",\"latest\":\"1763733600000\"}");

    private static final Form OF_RECORD = new Form(
            Set.of(STORE, EXPECTED, NEXT),
            "{\"store\":\"token=7d21\",\"expected\":null,\"next\":\"text\"}, or a text as expected");

    private static final Text OWNER = Text.upTo(WorkerStore.OWNER_LENGTH);

    private static final Text TOKEN = new Text(
            Pattern.compile("[\\x21-\\x7e]{1," + WorkerStore.TOKEN_LENGTH + "}"),
            "1 to " + WorkerStore.TOKEN_LENGTH + " printable characters of ASCII without a space");

    private static final Text RECORD = Text.upTo(WorkerStore.RECORD_LENGTH);

    /** @param allowed the pattern in words */
    private record Text(Pattern pattern, String allowed) {

        static Text upTo(int most) {
            return new Text(
                    Pattern.compile("[\\x20-\\x7e]{0," + most + "}"),
                    "up to " + most + " printable characters of ASCII");
        }
    }

    /** @param example what is allowed, for messages */
    private record Form(Set<String> members, String example) {}

    private final JsonObject members;

    private final Form form;

    private WorkerBody(Buffer body, Form form) {
        this.form = form;
        try {
            members = JsonObject.read(body.getBytes(), "the body");
        } catch (IllegalArgumentException e) {
            throw refusal(String.valueOf(e.getMessage()));
        }
        if (!members.members().keySet().equals(form.members)) {
            throw refusal(
                    "members=" + Problem.quoted(new TreeSet<>(members.members().keySet()).toString()));
        }
    }

    /** {@code {"store":"token=7d21","expected":null,"next":{...}}}. */
    static WorkerBody ofRow(Buffer body) {
        return new WorkerBody(body, OF_ROW);
    }

    /** {@code {"expected":{...},"next":{...},"record":"token=7d21 ...","earliest":"0","latest":"9"}}. */
    static WorkerBody ofRenewal(Buffer body) {
        return new WorkerBody(body, OF_RENEWAL);
    }

    /** {@code {"store":"token=7d21","expected":null,"next":"text"}}. */
    static WorkerBody ofRecord(Buffer body) {
        return new WorkerBody(body, OF_RECORD);
    }

    /** The identity of the store that the caller has read. */
    String store() {
        return text(members, STORE, RECORD);
    }

    /** Null if there must be none. */
    @Nullable
    WorkerRow expectedRow(long worker) {
        return isNull(EXPECTED) ? null : presentRow(worker);
    }

    /** The expected row of a request that needs one. */
    WorkerRow presentRow(long worker) {
        return row(EXPECTED, worker);
    }

    WorkerRow nextRow(long worker) {
        WorkerRow next = row(NEXT, worker);
        if (!isNull(EXPECTED) && row(EXPECTED, worker).token().equals(next.token())) {
            throw refusal("token=" + next.token() + " in both rows, although every change has a new one");
        }
        return next;
    }

    StoreCondition condition() {
        return new StoreCondition(
                text(members, "record", RECORD), number(members, "earliest"), number(members, "latest"));
    }

    /** Null if there must be none. */
    @Nullable
    String expectedRecord() {
        return isNull(EXPECTED) ? null : text(members, EXPECTED, RECORD);
    }

    String nextRecord() {
        String next = text(members, NEXT, RECORD);
        if (next.isEmpty() || next.equals(expectedRecord())) {
            throw refusal("next must have text, and differ from expected");
        }
        return next;
    }

    private boolean isNull(String name) {
        return members.members().get(name) == null;
    }

    private WorkerRow row(String name, long worker) {
        JsonObject row = read(() -> members.findObject(name).orElseThrow());
        if (!row.members().keySet().equals(Set.of("owner", "reservedUntil", "token"))) {
            throw refusal(name + " has members="
                    + Problem.quoted(new TreeSet<>(row.members().keySet()).toString()));
        }
        return new WorkerRow(
                worker, text(row, "owner", OWNER), number(row, "reservedUntil"), text(row, "token", TOKEN));
    }

    private String text(JsonObject of, String name, Text written) {
        String text = read(() -> of.text(name));
        if (!written.pattern.matcher(text).matches()) {
            throw refusal(name + "=" + Problem.quoted(text.replaceAll("[^\\x20-\\x7e]", "?")) + ", which is not "
                    + written.allowed);
        }
        return text;
    }

    private long number(JsonObject of, String name) {
        long number = read(() -> of.id(name));
        if (number < 0) {
            throw refusal(name + "=" + number + ", which is less than 0");
        }
        return number;
    }

    private <T> T read(Supplier<T> member) {
        try {
            return member.get();
        } catch (IllegalArgumentException e) {
            throw refusal(Problem.quoted(String.valueOf(e.getMessage())));
        }
    }

    private Problem.Refusal refusal(String found) {
        return new Problem(
                        ProblemType.INVALID_BODY,
                        "The body of the request is not as described: " + found + ", allowed: " + form.example)
                .refusal();
    }
}
