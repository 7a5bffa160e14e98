package io.distributedid.internal.keyed.remote;

import io.distributedid.internal.keyed.source.KeyHash;
import io.distributedid.internal.service.Json;
import io.distributedid.internal.service.ServicePool;
import io.distributedid.internal.service.ServiceServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The table of one sequence: which server gives the numbers of which keys. It is a hint, since the server that is asked
 * refuses keys that are not its own. It is fetched in the background, once at a time. Thread-safe.
 */
final class KeyRoutes {

    /** Each server gives all numbers, or nothing is known. */
    private static final List<Optional<ServiceServer>> NONE = List.of();

    private final ServicePool pool;

    private final Function<ServiceServer, CompletableFuture<Json>> question;

    /** The owner of each section. */
    private final AtomicReference<List<Optional<ServiceServer>>> owners = new AtomicReference<>(NONE);

    private volatile @Nullable ServiceServer last;

    /** The request for the table that is under way, or the last one. */
    private volatile CompletableFuture<?> asked = CompletableFuture.completedFuture(null);

    /** @param question asks a server for its table */
    KeyRoutes(ServicePool pool, Function<ServiceServer, CompletableFuture<Json>> question) {
        this.pool = pool;
        this.question = question;
    }

    /** The server that gives the numbers of a key. Without one, as where each server does, that which answered last. */
    Optional<ServiceServer> likely(String key) {
        List<Optional<ServiceServer>> known = owners.get();
        Optional<ServiceServer> owner = known.isEmpty() ? Optional.empty() : known.get(section(key, known.size()));
        return owner.or(() -> Optional.ofNullable(last));
    }

    private static int section(String key, int sections) {
        return KeyHash.section(KeyHash.number(key), sections);
    }

    /** A server has given a number of a key. */
    void learn(String key, ServiceServer owner) {
        last = owner;
        List<Optional<ServiceServer>> known = owners.get();
        if (known.isEmpty()) {
            return;
        }
        int section = section(key, known.size());
        if (!known.get(section).equals(Optional.of(owner))) {
            List<Optional<ServiceServer>> next = new ArrayList<>(known);
            next.set(section, Optional.of(owner));
            // If another thread has changed it meanwhile, its knowledge is as good.
            boolean unused = owners.compareAndSet(known, List.copyOf(next));
        }
    }

    /** Asks a server for its table, unless one is asked already. Does not wait. */
    void refresh(ServiceServer server) {
        if (asked.isDone()) {
            asked = question.apply(server).thenAccept(answer -> owners.set(read(answer)));
        }
    }

    private List<Optional<ServiceServer>> read(Json answer) {
        if (!answer.flag("partitioned")) {
            return NONE;
        }
        List<Optional<ServiceServer>> addresses =
                answer.texts("servers").stream().map(pool::find).toList();
        return answer.numbers("sections").stream()
                .map(place -> place < 0 || place >= addresses.size()
                        ? Optional.<ServiceServer>empty()
                        : addresses.get(Math.toIntExact(place)))
                .toList();
    }
}
