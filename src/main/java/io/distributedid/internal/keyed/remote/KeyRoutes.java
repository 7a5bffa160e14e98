package io.distributedid.internal.keyed.remote;

import io.distributedid.internal.http.JsonObject;
import io.distributedid.internal.keyed.source.KeyHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * The table of one sequence: which server gives the numbers of which keys. It is a hint, since the server that is asked
 * refuses keys that are not its own. It is fetched in the background, once at a time. Thread-safe.
 */
final class KeyRoutes {

    /** Each server gives all numbers, or nothing is known. */
    private static final List<Optional<KeyServer>> NONE = List.of();

    private final List<KeyServer> servers;

    private final Function<KeyServer, CompletableFuture<JsonObject>> question;

    private final AtomicBoolean isAsking = new AtomicBoolean();

    /** The owner of each section. */
    private final AtomicReference<List<Optional<KeyServer>>> owners = new AtomicReference<>(NONE);

    /** @param question asks a server for its table */
    KeyRoutes(List<KeyServer> servers, Function<KeyServer, CompletableFuture<JsonObject>> question) {
        this.servers = servers;
        this.question = question;
    }

    /** Who gives the numbers of a key; empty if that is unknown, or if each server does. */
    Optional<KeyServer> owner(String key) {
        List<Optional<KeyServer>> known = owners.get();
        return known.isEmpty() ? Optional.empty() : known.get(section(key, known.size()));
    }

    private static int section(String key, int sections) {
        return KeyHash.section(KeyHash.number(key), sections);
    }

    /** A server has given a number of a key. */
    void learn(String key, KeyServer owner) {
        List<Optional<KeyServer>> known = owners.get();
        if (known.isEmpty()) {
            return;
        }
        int section = section(key, known.size());
        if (!known.get(section).equals(Optional.of(owner))) {
            List<Optional<KeyServer>> next = new ArrayList<>(known);
            next.set(section, Optional.of(owner));
            // If another thread has changed it meanwhile, its knowledge is as good.
            boolean unused = owners.compareAndSet(known, List.copyOf(next));
        }
    }

    /** Asks a server for its table, unless one is asked already. Does not wait; the result tells of its end. */
    CompletableFuture<?> refresh(KeyServer server) {
        if (!isAsking.compareAndSet(false, true)) {
            return CompletableFuture.completedFuture(null);
        }
        return question.apply(server)
                .thenAccept(answer -> owners.set(read(answer)))
                .whenComplete((done, failure) -> isAsking.set(false));
    }

    private List<Optional<KeyServer>> read(JsonObject answer) {
        if (!answer.flag("partitioned")) {
            return NONE;
        }
        List<Optional<KeyServer>> addresses =
                answer.texts("servers").stream().map(this::find).toList();
        return answer.numbers("sections").stream()
                .map(place -> place < 0 || place >= addresses.size()
                        ? Optional.<KeyServer>empty()
                        : addresses.get(Math.toIntExact(place)))
                .toList();
    }

    /** Empty for an address that the settings do not name: no token is sent there. */
    Optional<KeyServer> find(String address) {
        return servers.stream().filter(each -> each.isAt(address)).findFirst();
    }
}
