package io.distributedid.maelstrom;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Maelstrom's service {@code lww-kv}: several replicas, each request is served by one of them, and now and then one
 * takes over what another one has. Of two values the later one wins, by the clocks of the replicas. A compare-and-set
 * sees one replica alone, and creates no key. For one thread at a time.
 *
 * <p>Chance chooses the replicas in Maelstrom. It may, for a while, serve each node by a replica of its own, and let
 * none hear of another.
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

    private final Function<Message, Replica> choice;

    private LwwKv(Function<List<Replica>, Function<Message, Replica>> choice) {
        this.choice = choice.apply(replicas);
    }

    /** Each request is served by any replica. */
    static LwwKv byChance(Random random) {
        return new LwwKv(replicas -> request -> {
            any(replicas, random).takeOver(any(replicas, random));
            return any(replicas, random);
        });
    }

    private static Replica any(List<Replica> replicas, Random random) {
        return replicas.get(random.nextInt(REPLICAS));
    }

    /** Each of up to five nodes has a replica of its own, which hears of no other. */
    static LwwKv apart() {
        Map<String, Replica> own = new HashMap<>();
        return new LwwKv(replicas -> request -> own.computeIfAbsent(request.src(), node -> replicas.get(own.size())));
    }

    Message answer(Message request) {
        return answer(request, choice.apply(request));
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
