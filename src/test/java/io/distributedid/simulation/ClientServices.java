package io.distributedid.simulation;

import io.distributedid.internal.service.MemoryWire.Answer;
import io.distributedid.simulation.ClientScenario.Wrong;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The servers of an issuing service: blocks of {@value #BLOCKS}, {@value #STRICT} in strict order, and numbers per key
 * of {@value #KEYED}, from one store. A server that is of another place or kind gives ids from {@link #STRANGE} on.
 */
final class ClientServices {

    static final String BLOCKS = "photos";

    static final String STRICT = "orders";

    static final String KEYED = "messages";

    static final String TOKEN = "token";

    static final long STRANGE = 1_000_000_000_000L;

    private static final int MOST_OF_A_BLOCK = 20;

    private final World world;

    private final Network network;

    private final Host wire;

    private final boolean isPartitioned;

    private final List<@Nullable Wrong> wrongs = new ArrayList<>();

    /** What the cache before each server has. */
    private final List<Map<String, Answer>> caches = new ArrayList<>();

    private int active;

    /** The last id or number: of the sequences by their names, of keys by theirs. */
    private final Map<String, Long> last = new HashMap<>();

    /** When the request was sent that took an id in strict order, or a number. */
    private final Map<String, Long> taken = new HashMap<>();

    ClientServices(World world, Network network, ClientScenario.ClientSetup setup) {
        this.world = world;
        this.network = network;
        this.wire = new Host(world, "wire");
        isPartitioned = setup.isPartitioned();
        for (int i = 0; i < setup.servers(); i++) {
            wrongs.add(null);
            caches.add(new HashMap<>());
        }
    }

    int size() {
        return wrongs.size();
    }

    List<URI> addresses() {
        return IntStream.range(0, size()).mapToObj(ClientServices::address).toList();
    }

    private static URI address(int server) {
        return URI.create("http://s" + server);
    }

    /** @param wrong null if nothing is */
    void become(int server, @Nullable Wrong wrong) {
        world.log(() -> address(server) + " becomes " + (wrong == null ? "good" : wrong));
        wrongs.set(server, wrong);
        caches.get(server).clear();
    }

    void activate(int server) {
        world.log(() -> address(server) + " takes over");
        active = server;
    }

    void goBack(int ids) {
        world.log(() -> "the store goes back by " + ids + " from " + last);
        List.of(BLOCKS, STRICT).forEach(name -> last.computeIfPresent(name, (each, id) -> Math.max(0, id - ids)));
    }

    /** Raises above all that an older copy may have forgotten. */
    void repair() {
        List.of(BLOCKS, STRICT).forEach(name -> last.computeIfPresent(name, (each, id) -> id + 1_000));
    }

    /** When the request was sent that took an id of {@link #STRICT} or a number of a key. */
    long sentAt(String of, long id) {
        return taken.getOrDefault(of + id, Long.MIN_VALUE);
    }

    /** A request travels, is done, and its answer travels back. Any of it may fail. */
    void send(Host client, URI address, String method, String id, Consumer<Answer> answer) {
        int server = Integer.parseInt(address.getHost().substring(1));
        long sent = world.now();
        Network.Fate fate = network.next();
        world.startAfter(travel(), wire, "request", () -> {
            Wrong wrong = wrongs.get(server);
            boolean isDone =
                    wrong != Wrong.IS_DOWN && fate != Network.Fate.LOST && (wrong != Wrong.HANGS || world.once(2));
            Supplier<Answer> work =
                    () -> cached(server, method + " " + address.getRawPath() + "?" + address.getRawQuery(), id, sent);
            if (fate == Network.Fate.LATE || wrong == Wrong.IS_SLOW) {
                world.sleep(world.random(200_000_000, 1_500_000_000));
            }
            Answer done = isDone ? work.get() : null;
            if (isDone && fate == Network.Fate.TWICE) {
                done = work.get();
            }
            boolean isAnswered = isDone && wrong != Wrong.HANGS && fate != Network.Fate.UNANSWERED;
            Answer last = isAnswered ? done : null;
            world.log(() -> address + " asked by " + client + " with " + fate + " answers " + last);
            if (isAnswered || (wrong != Wrong.HANGS && world.once(2))) {
                if (fate == Network.Fate.LATE) {
                    world.sleep(world.random(0, 1_500_000_000));
                }
                world.startAfter(travel(), client, "answer", () -> answer.accept(last));
            }
        });
    }

    private long travel() {
        return world.random(50_000, 3_000_000);
    }

    private Answer cached(int server, String request, String id, long sent) {
        return wrongs.get(server) == Wrong.IS_KEPT_BY_A_CACHE
                ? caches.get(server).computeIfAbsent(request, each -> done(server, each, id, sent))
                : done(server, request, id, sent);
    }

    private Answer done(int server, String request, String id, long sent) {
        String name = request.split("[/?]")[3];
        boolean isPost = request.startsWith("POST");
        Optional<Wrong> wrong = Optional.ofNullable(wrongs.get(server));
        boolean isOther = wrong.equals(Optional.of(Wrong.IS_OF_ANOTHER_PLACE));
        boolean isOtherKind = wrong.equals(Optional.of(Wrong.IS_OF_ANOTHER_KIND));
        boolean isStrict = name.equals(STRICT) != isOtherKind;
        if (wrong.equals(Optional.of(Wrong.HAS_NO_IDS)) && isPost) {
            return problem(503, id, "unavailable", "");
        }
        String source = isOther || isOtherKind ? "strange " + name : name;
        String token = isOther ? "other" : TOKEN;
        if (name.equals(KEYED)) {
            return isOther ? problem(503, id, "unavailable", "") : keyed(server, request, id, sent);
        }
        if (request.endsWith("?null")) {
            return ok(
                    id,
                    name,
                    "\"kind\":\"" + (isStrict ? "strict" : "blocks") + "\",\"token\":\"" + token + "\",\"maxBlock\":"
                            + MOST_OF_A_BLOCK + ",\"maxIds\":" + (2 + server));
        }
        int count = Integer.parseInt(request.substring(request.lastIndexOf('=') + 1));
        if (request.contains("/blocks?")) {
            return isStrict ? problem(409, id, "no-blocks", "") : ok(id, name, blocks(source, token, count));
        }
        if (!isStrict) {
            return ok(id, name, "\"ids\":[" + ids(source, count, sent) + "]");
        }
        if (server != active && !isOther) {
            return problem(
                    503, id, "standby", world.once(3) ? "" : address(active).toString());
        }
        return count > 2 + server
                ? problem(400, id, "invalid-parameter", "")
                : ok(id, name, "\"token\":\"" + token + "\",\"ids\":[" + ids(source, count, sent) + "]");
    }

    private String blocks(String source, String token, int count) {
        int first = 1 + world.random(count);
        String all = IntStream.of(first, count - first)
                .filter(each -> each > 0)
                .mapToObj(each -> "{\"first\":\"" + (raise(source, each) - each + 1) + "\",\"step\":\"1\",\"count\":\""
                        + each + "\",\"ageMillis\":" + world.random(1_500) + "}")
                .collect(Collectors.joining(","));
        return "\"token\":\"" + token + "\",\"blocks\":[" + all + "]";
    }

    private String ids(String source, int count, long sent) {
        long end = raise(source, count);
        return LongStream.rangeClosed(end - count + 1, end)
                .peek(each -> taken.put(source + each, sent))
                .mapToObj(each -> "\"" + each + "\"")
                .collect(Collectors.joining(","));
    }

    /** Takes ids, and returns the last one. */
    private long raise(String source, int count) {
        return last.merge(
                source, (source.startsWith("strange") ? STRANGE : 0) + count, (before, more) -> before + count);
    }

    private Answer keyed(int server, String request, String id, long sent) {
        if (isPartitioned && server != active) {
            return problem(307, id, "other-server", address(active).toString());
        }
        String key = request.replaceAll(".*key=|&.*", "");
        int count = request.contains("&n=") ? Integer.parseInt(request.replaceAll(".*&n=", "")) : 1;
        String about = "\"key\":\"" + key + "\",";
        if (!request.startsWith("POST")) {
            return ok(id, KEYED, about + "\"current\":\"" + last.getOrDefault("key " + key, 0L) + "\"");
        }
        String unused = ids("key " + key, count, sent);
        long end = last.get("key " + key);
        return ok(id, KEYED, about + "\"first\":\"" + (end - count + 1) + "\",\"last\":\"" + end + "\"");
    }

    private static Answer ok(String id, String sequence, String more) {
        return new Answer(200, id, "{\"sequence\":\"" + sequence + "\"," + more + "}");
    }

    private static Answer problem(int status, String id, String type, String other) {
        return new Answer(
                status,
                id,
                "{\"type\":\"https://distributedid.io/problems/" + type + "\",\"title\":\"t\",\"detail\":\"" + type
                        + "\"" + (other.isEmpty() ? "" : ",\"active\":\"" + other + "\"") + "}");
    }
}
