package io.distributedid.internal.lease;

import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.LedgerMemory;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.process.Platform;
import java.lang.reflect.Field;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** For tests in other packages: what a store does, and what is only in memory. */
public final class LeaseInternals {

    private LeaseInternals() {}

    /** Whoever creates the table begins the store. */
    public static Change begin(String token, String server, StoreHeader.Terms terms, String random) {
        return StoreHeader.first(token, server, terms, random).create();
    }

    public static long lost(Row header) {
        return new StoreHeader(header).lost();
    }

    public static long changes(Row header) {
        return header.state() == Row.State.NEW ? 0 : new StoreHeader(header).changes();
    }

    public static long longest(Row header) {
        return new StoreHeader(header).longest();
    }

    public static String server(Row header) {
        return new StoreHeader(header).server();
    }

    /** All rows that a header counts. */
    public static Set<String> counted(Row header) {
        return StoreRules.counted(new StoreHeader(header)).collect(Collectors.toSet());
    }

    /** The bound of a request that has no answer, or of the right that is held; 0 without both. */
    public static long bound(Right right) {
        LeaseState state = right.state;
        long held = state.held() == null ? 0 : state.held().bound();
        return Math.max(held, state.sent() == null ? 0 : state.sent().lease().bound());
    }

    /** The row of that; empty without both. */
    public static List<String> rows(Right right) {
        return right.rows();
    }

    /** A runner that goes on with the same state, in another process. */
    public record Copy(LeaseRunner runner, Map<Right, Right> rights) {}

    /**
     * Copies a process at this moment, as a snapshot of its machine does. Calls that are under way fail in the copy.
     */
    public static Copy copy(
            LeaseRunner from, LeaseStore store, StoreHeader.Terms begins, InstantSource clock, Platform platform) {
        LeaseRunner to = new LeaseRunner(store, begins, clock, platform);
        Map<Right, Right> rights = new LinkedHashMap<>();
        LeaseClient client = get(from, "client");
        LeaseClient next = get(to, "client");
        for (Right each : client.rights()) {
            Right copy = each.rule == LeaseProtocol.Rule.UNCHANGED
                    ? Right.exclusive(
                            each.row, each.claims.orElseThrow(), each.protocol().lease(), each.owner)
                    : Right.worker(each.numbers.orElseThrow(), false, each.owner);
            copy.state = each.state;
            copy.refusals = each.refusals;
            set(copy, "protocol", get(each, "protocol"));
            set(copy, "current", each.current());
            set(copy, "other", each.other());
            rights.put(each, copy);
        }
        next.rights().addAll(rights.values());
        LedgerMemory before = get(client, "memory");
        LedgerMemory memory = get(next, "memory");
        memory.learn(before.known().rows().values());
        for (String field : List.of("header", "last", "renewals")) {
            set(next, field, get(client, field));
        }
        boolean unused = to.failure().isPresent();
        return new Copy(to, rights);
    }

    private static Field field(Object of, String name) throws NoSuchFieldException {
        Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    @SuppressWarnings("unchecked")
    private static <T> T get(Object of, String name) {
        try {
            return (T) field(of, name).get(of);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static void set(Object of, String name, Object value) {
        try {
            field(of, name).set(of, value);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
