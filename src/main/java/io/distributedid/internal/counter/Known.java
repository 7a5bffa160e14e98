package io.distributedid.internal.counter;

import io.distributedid.internal.ledger.Version;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of one counter, from its own draws and from looks that were judged good. Immutable.
 *
 * @param token of the table; empty if it knows none
 * @param era the newest; 0 if it knows none
 * @param servers by place in the list; no entry if it knows nothing of that server
 */
public record Known(String token, long era, Map<Integer, OfServer> servers) {

    public static final Known NOTHING = new Known("", 0, Map.of());

    /**
     * What is known of one server.
     *
     * @param version of the row
     * @param number the furthest that was drawn, or seen
     * @param era of the row
     */
    public record OfServer(Version version, long number, long era) {

        /** A newer era ends what was known of versions: a server that lost some gets lower ones. Numbers never fall. */
        private OfServer and(OfServer now) {
            boolean isNewer = now.era > era || (now.era == era && now.version.count() > version.count());
            return new OfServer(isNewer ? now.version : version, Math.max(number, now.number), Math.max(era, now.era));
        }
    }

    public Known {
        servers = Map.copyOf(servers);
    }

    public Optional<OfServer> server(int place) {
        return Optional.ofNullable(servers.get(place));
    }

    /** The furthest id of any server; 0 if none is known. */
    public long furthest() {
        return servers.values().stream().mapToLong(OfServer::number).max().orElse(0);
    }

    /** After a look that was judged good. */
    public Known with(int place, Header header, CounterRow row, long number) {
        Map<Integer, OfServer> next = new HashMap<>(servers);
        next.merge(place, new OfServer(row.version(), number, row.era()), OfServer::and);
        return new Known(header.token(), Math.max(era, header.era()), next);
    }

    /** After a draw. It counts only under its version: under another one, others may have raised the counter. */
    public Known drawn(int place, Version version, long number) {
        @Nullable OfServer before = servers.get(place);
        if (before == null || !before.version().equals(version) || before.number() >= number) {
            return this;
        }
        Map<Integer, OfServer> next = new HashMap<>(servers);
        next.put(place, new OfServer(version, number, before.era()));
        return new Known(token, era, next);
    }
}
