package io.distributedid.internal.keyed.owner;

import io.distributedid.internal.tenure.TenureRow;
import io.distributedid.internal.tenure.TenureStoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A store in memory, which can lose answers and delay requests. */
final class MemorySectionStore implements SectionStore {

    enum Fault {
        NONE,
        /** The requests are done, and the answer is lost. */
        LOST_ANSWER,
        /** The requests are not done, unless {@link #doDelayed} does them. */
        DELAYED
    }

    final Map<Integer, TenureRow> rows = new HashMap<>();

    final List<Write> delayed = new ArrayList<>();

    Fault fault = Fault.NONE;

    /** How many writes each call had. */
    final List<Integer> calls = new ArrayList<>();

    @Override
    public Map<Integer, TenureRow> read(String sequence) {
        return Map.copyOf(rows);
    }

    @Override
    public void create(String sequence, Map<Integer, TenureRow> first) {
        if (rows.isEmpty()) {
            rows.putAll(first);
        }
    }

    @Override
    public List<Boolean> write(String sequence, List<Write> writes) throws TenureStoreException {
        calls.add(writes.size());
        if (fault == Fault.DELAYED) {
            delayed.addAll(writes);
            throw new TenureStoreException("delayed", new IllegalStateException());
        }
        List<Boolean> done = writes.stream().map(this::isDone).toList();
        if (fault == Fault.LOST_ANSWER) {
            throw new TenureStoreException("lost", new IllegalStateException());
        }
        return done;
    }

    private boolean isDone(Write write) {
        boolean isExpected =
                Objects.equals(rows.get(write.place()), write.request().expected());
        if (isExpected) {
            rows.put(write.place(), write.request().next());
        }
        return isExpected;
    }

    void doDelayed() {
        delayed.forEach(this::isDone);
        delayed.clear();
    }

    long owned(String owner) {
        return rows.entrySet().stream()
                .filter(each -> each.getKey() >= 0 && each.getValue().owner().equals(owner))
                .count();
    }

    @Override
    public String label() {
        return "memory";
    }

    @Override
    public void stop() {}

    @Override
    public void cut() {}

    @Override
    public void abandon() {}

    @Override
    public void close() {}
}
