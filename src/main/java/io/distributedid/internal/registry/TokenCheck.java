package io.distributedid.internal.registry;

import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.place.RememberedPlaces;
import io.distributedid.internal.place.RememberedPlaces.IdSpace;
import io.distributedid.spi.Backend;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Maintenance;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Compares the place of a counter with the place that each database of the application has stored, see
 * {@link RememberedPlaces}, each time when its sequence is opened: at its first use, and after each resume, since the
 * place may have changed while the process was suspended. Without such a database it logs one warning. Thread-safe.
 */
final class TokenCheck {

    private static final Logger LOG = System.getLogger(TokenCheck.class.getName());

    /** The application's own is the first: a place that it refuses is not stored in the others. */
    private final List<ConnectionAccess> databases;

    private final Predicate<String> comparedByCaller;

    private final AtomicBoolean warned = new AtomicBoolean();

    /** @param comparedByCaller asked at each opening of a sequence; if true, this class does nothing */
    TokenCheck(List<ConnectionAccess> databases, Predicate<String> comparedByCaller) {
        this.databases = databases;
        this.comparedByCaller = comparedByCaller;
    }

    /** Throws if the sequence was counted in another place before, or may have been. Called before the first id. */
    void check(Sequence sequence, Backend backend) {
        if (comparedByCaller.test(sequence.name())) {
            return;
        }
        IdSpace space = space(sequence, backend).orElse(null);
        if (space == null) {
            return;
        }
        Duration limit = BlockPolicy.of(sequence.settings()).timeout();
        databases.forEach(each -> RememberedPlaces.check(each, limit, Map.of(sequence.name(), space)));
        if (databases.isEmpty() && !warned.getAndSet(true)) {
            LOG.log(
                    Level.WARNING,
                    "No database stores where the ids of a sequence come from: seq={0}. If servers, table, schema or"
                            + " ticket.bits are changed while instances with the old settings run, both places issue"
                            + " the same ids. Let the application''s database store the place:"
                            + " DistributedIds.Builder.applicationDatabase, or an entity of Hibernate that uses the"
                            + " sequence. Or compare ids.admin().token(\"{0}\") with its former value, and call"
                            + " Builder.tokensComparedByCaller. To change the place: distributedid move {0}",
                    sequence.name());
        }
    }

    private static Optional<IdSpace> space(Sequence sequence, Backend backend) {
        Maintenance place = Maintenance.of(backend);
        return place.token(sequence)
                .map(token -> new IdSpace(place.idSpace(sequence), token, isLeased(sequence, backend)));
    }

    private static boolean isLeased(Sequence sequence, Backend backend) {
        return backend.statistics(sequence)
                .filter(all -> all.worker().isPresent() || all.tenure().isPresent())
                .isPresent();
    }
}
