package io.distributedid.internal.start;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.existing.IdColumn;
import io.distributedid.internal.existing.NotComparedException;
import io.distributedid.internal.existing.StartIds;
import io.distributedid.internal.jdbc.SqlSupplier;
import io.distributedid.internal.place.RememberedPlaces;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.internal.settings.CoreSettings.ExistingIds;
import io.distributedid.spi.LargestIds;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Compares one column with its sequence, according to {@code distributedid.existing_ids}. If the column can't be read
 * in time, logs a warning: that must neither fail nor delay each start.
 */
public final class PlaceCheck {

    private final IdPlace place;

    private final DistributedIds ids;

    private final ExistingIds mode;

    private final Duration limit;

    private final Logger log;

    /** @param log gets the warnings, in the name of the provider's package */
    public PlaceCheck(IdPlace place, DistributedIds ids, Settings settings, Logger log) {
        this.log = log;
        this.place = place;
        this.ids = ids;
        mode = mode(place.sequence(), settings);
        limit = settings.forSequence(place.sequence()).get(CoreSettings.EXISTING_IDS_TIMEOUT);
    }

    String sequence() {
        return place.sequence();
    }

    /** How long each query for the ids that exist may take. */
    Duration limit() {
        return limit;
    }

    /** Whether the settings exclude a sequence from the comparison. */
    public static boolean isIgnored(String sequence, Settings settings) {
        return mode(sequence, settings) == ExistingIds.IGNORE;
    }

    private static ExistingIds mode(String sequence, Settings settings) {
        return settings.forSequence(sequence).get(CoreSettings.EXISTING_IDS);
    }

    /** The column, of which the largest id is wanted. */
    private IdColumn largest() {
        return new IdColumn(place.table(), place.column(), 1, 0);
    }

    /** The column, and which of its ids the sequence is compared with. The sequence must be open. */
    IdColumn column() throws SQLException {
        AtomicReference<IdColumn> found = new AtomicReference<>(largest());
        if (!isRaised()) {
            ids.admin().requireAbove(place.sequence(), (step, distance) -> {
                found.set(new IdColumn(place.table(), place.column(), step, distance));
                return List.of();
            });
        }
        return found.get();
    }

    /** Whether one query may read the column with others. */
    boolean isReadTogether() {
        return place.rewrittenBy().isEmpty();
    }

    /** Whether the sequence is raised above the ids. */
    boolean isRaised() {
        return mode == ExistingIds.RAISE;
    }

    /**
     * The existing ids, for {@link #compare}. Reads the column unless its ids are known. Closes the connection if the
     * database hangs.
     */
    LargestIds read(SqlSupplier<Connection> connection, IdColumn wanted, @Nullable List<Long> known) {
        if (place.rewrittenBy().isPresent()) {
            return unread(place.rewrittenBy().get());
        }
        StartIds stored =
                new StartIds(connection, place.table(), place.column(), place.padded(), limit, this::warnOfOthers);
        return known == null
                ? stored.readNow(wanted.step(), wanted.distance())
                : stored.known(wanted.step(), wanted.distance(), known);
    }

    private static LargestIds unread(String rewrittenBy) {
        return (step, distance) -> {
            throw new NotComparedException(rewrittenBy + " writes its values, which SQL can't compare", false);
        };
    }

    /** Ids that were read; empty if they were not. */
    List<Long> known(LargestIds existing) throws SQLException {
        try {
            IdColumn read = column();
            return existing.read(read.step(), read.distance()).stream()
                    .filter(id -> id > 0)
                    .toList();
        } catch (NotComparedException e) {
            return List.of();
        }
    }

    /** Fails if the sequence would give existing ids. */
    void compare(LargestIds existing) throws SQLException {
        try {
            if (isRaised()) {
                raise(existing);
            } else {
                ids.admin().requireAbove(place.sequence(), existing);
            }
        } catch (NotComparedException e) {
            warn(String.valueOf(e.getMessage()), e.isHelpedByIndex(), e.getCause());
        } catch (IdConfigurationException e) {
            refuse(e);
        }
    }

    /**
     * A raise needs all servers, or the active process, and a clock that soon passes the ids. If one of these is
     * missing, the start goes on if no server that answers has to be raised.
     */
    private void raise(LargestIds existing) throws SQLException {
        try {
            ids.admin()
                    .raise(
                            place.sequence(),
                            existing.read(1, 0).stream()
                                    .mapToLong(Long::longValue)
                                    .max()
                                    .orElse(0));
        } catch (IdUnavailableException e) {
            try {
                ids.admin().requireAbove(place.sequence(), existing);
            } catch (IdConfigurationException tooLow) {
                e.addSuppressed(tooLow);
                throw e;
            }
            log.log(
                    Level.WARNING,
                    "A sequence was not raised"
                            + (e instanceof IdStandbyException
                                    ? ", since another process gives its ids: seq="
                                    : ". No server that answers has to be raised, so the start goes on: seq=")
                            + place.sequence() + ". " + e.getMessage());
        }
    }

    private void refuse(IdConfigurationException e) {
        String message = place.entity() + " (seq=" + place.sequence() + "): " + e.getMessage();
        if (!place.assigned() || !holdsTime()) {
            throw new IdConfigurationException(message + RememberedPlaces.RESET, e);
        }
        log.log(
                Level.WARNING,
                message + ". The start goes on, since this id may have been assigned or imported"
                        + " (@DistributedId(assigned = true))");
    }

    /** An imported id may have a future time. A counter, however, would later repeat an imported id above it. */
    private boolean holdsTime() {
        try {
            return ids.time(place.sequence()) != null;
        } catch (IdConfigurationException e) {
            return false;
        }
    }

    private void warn(String reason, boolean helpedByIndex, @Nullable Throwable cause) {
        log.log(
                Level.WARNING,
                place.entity() + "." + place.path() + " (seq=" + place.sequence()
                        + ") is not compared with the ids that exist:"
                        + " table=" + place.table() + " column=" + place.column() + ", because " + reason
                        + ". If the sequence lies below them, it gives ids twice. "
                        + advice(helpedByIndex) + ". To end this warning, set "
                        + Setting.SEQUENCE_PREFIX + place.sequence() + ".existing_ids=ignore",
                cause);
    }

    private String advice(boolean helpedByIndex) {
        if (place.rewrittenBy().isPresent()) {
            return "Find the largest number that a value of the column stands for, and raise the sequence above it:"
                    + " distributedid raise " + place.sequence() + " --above NUMBER";
        }
        return (helpedByIndex ? "Create an index that begins with the column, or compare" : "Compare") + " it by hand: "
                + command();
    }

    private void warnOfOthers(String reason) {
        log.log(
                Level.WARNING,
                place.entity() + "." + place.path() + " (seq=" + place.sequence() + ") is compared with the largest id"
                        + " alone, and not with the ids of each server: table=" + place.table() + " column="
                        + place.column()
                        + ", because " + reason + ". A server whose counter lies below its own ids gives them again."
                        + " Compare it by hand: " + command());
    }

    private String command() {
        return "distributedid raise " + place.sequence() + " --dry-run --table '" + place.table() + "' --column '"
                + place.column() + "' --database URL";
    }
}
