package io.distributedid.maelstrom;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Maelstrom's service {@code lww-kv}: several replicas, each request is served by any one of them, and now and then one
 * takes over what another one has. Of two values the later one wins, by the clocks of the replicas. A compare-and-set
 * sees one replica alone, and creates no key. For one thread at a time.
 */
final class LwwKv {

    private static final int REPLICAS = 5;

    private record Stamped(long time, Object value) {}

    private static final class Replica {

        private final Map<String, Stamped> values = new HashMap<>();

        /** Counts its writes, and those that it has heard of. */
        private long clock;

        private void put(String key, Object value) {
            values.put(key, new Stamped(clock, value));
            clock++;
        }

        private void takeOver(Replica other) {
            clock = Math.max(clock, other.clock);
            other.values.forEach(
                    (key, value) -> values.merge(key, value, (own, newer) -> newer.time > own.time ? newer : own));
        }
    }

    private final List<Replica> replicas =
            Stream.generate(Replica::new).limit(REPLICAS).toList();

    private final Random random;

    LwwKv(Random random) {
        this.random = random;
    }

    Message answer(Message request) {
        any().takeOver(any());
        return answer(request, any());
    }

    private Replica any() {
        return replicas.get(random.nextInt(REPLICAS));
    }

    private static Message answer(Message request, Replica replica) {
        String key = request.text("key");
        Stamped found = replica.values.get(key);
        switch (request.type()) {
            case "read":
                return found == null ? LinKv.noKey(request) : request.answer("read_ok", Map.of("value", found.value));
            case "write":
                replica.put(key, request.body().get("value"));
                return request.answer("write_ok", Map.of());
            case "cas":
                if (found == null) {
                    return LinKv.noKey(request);
                }
                if (!found.value.equals(request.body().get("from"))) {
                    return request.refusal(Errors.PRECONDITION_FAILED, "the value is another one");
                }
                replica.put(key, request.body().get("to"));
                return request.answer("cas_ok", Map.of());
            default:
                return request.refusal(Errors.NOT_SUPPORTED, "not supported: " + request.type());
        }
    }
}
