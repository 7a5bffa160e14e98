package io.distributedid.hibernate.internal.schema;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.internal.existing.IdColumn;
import io.distributedid.internal.existing.NotComparedException;
import io.distributedid.internal.existing.StartIds;
import io.distributedid.internal.jdbc.ConnectionSupplier;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.internal.settings.CoreSettings.ExistingIds;
import io.distributedid.spi.LargestIds;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Compares one column with its sequence, according to {@link DistributedIdSettings#EXISTING_IDS}. If the column can't
 * be read in time, logs a warning: that must neither fail nor delay each start.
 */
final class PlaceCheck {

    private static final Logger LOG = System.getLogger(ExistingIdsCheck.class.getName());

    private final ExistingIdsCheck.Place place;

    private final UnitIds unit;

    private final String sequence;

    private final ExistingIds mode;

    private final String table;

    private final String column;

    PlaceCheck(ExistingIdsCheck.Place place, SessionFactoryImplementor factory, UnitIds unit) {
        this.place = place;
        this.unit = unit;
        sequence = place.ids().sequence();
        mode = mode(sequence, unit);
        SqlStringGenerationContext context = factory.getSqlStringGenerationContext();
        table = place.table().getQualifiedName(context);
        column = place.sql(context.getDialect());
    }

    String sequence() {
        return sequence;
    }

    /** Whether the settings exclude a sequence from the comparison. */
    static boolean isIgnored(String sequence, UnitIds unit) {
        return mode(sequence, unit) == ExistingIds.IGNORE;
    }

    private static ExistingIds mode(String sequence, UnitIds unit) {
        return unit.settings().forSequence(sequence).get(CoreSettings.EXISTING_IDS);
    }

    /** The column, of which the largest id is wanted. */
    IdColumn largest() {
        return new IdColumn(table, column, 1, 0);
    }

    /** The column, and which of its ids the sequence is compared with. The sequence must be open. */
    IdColumn column() throws SQLException {
        AtomicReference<IdColumn> found = new AtomicReference<>(largest());
        if (!isRaised()) {
            unit.ids().requireAbove(sequence, (step, distance) -> {
                found.set(new IdColumn(table, column, step, distance));
                return List.of();
            });
        }
        return found.get();
    }

    /** Whether one query may read the column with others. */
    boolean isReadTogether() {
        return !place.aggregated();
    }

    /** Whether the sequence is raised above the ids. */
    boolean isRaised() {
        return mode == ExistingIds.RAISE;
    }

    /**
     * The existing ids, for {@link #compare}. Reads the column unless its ids are known. Closes the connection if the
     * database hangs.
     */
    LargestIds read(ConnectionSupplier connection, IdColumn wanted, @Nullable List<Long> known) {
        StartIds ids =
                new StartIds(connection, table, column, place.ids().conversion().isPadded(), this::warnOfOthers);
        return known == null
                ? ids.readNow(wanted.step(), wanted.distance())
                : ids.known(wanted.step(), wanted.distance(), known);
    }

    /** Ids that were read; empty if they were not. */
    List<Long> known(LargestIds ids) throws SQLException {
        try {
            IdColumn read = column();
            return ids.read(read.step(), read.distance()).stream()
                    .filter(id -> id > 0)
                    .toList();
        } catch (NotComparedException e) {
            return List.of();
        }
    }

    /** Fails if the sequence would give existing ids. */
    void compare(LargestIds ids) throws SQLException {
        try {
            if (isRaised()) {
                raise(ids);
            } else {
                unit.ids().requireAbove(sequence, ids);
            }
        } catch (NotComparedException e) {
            warn(String.valueOf(e.getMessage()), e.isHelpedByIndex(), e.getCause());
        } catch (IdConfigurationException e) {
            refuse(e);
        }
    }

    /** A raise needs all servers. If one is down, the start goes on if no server that answers has to be raised. */
    private void raise(LargestIds ids) throws SQLException {
        try {
            unit.ids()
                    .raiseAbove(
                            sequence,
                            ids.read(1, 0).stream()
                                    .mapToLong(Long::longValue)
                                    .max()
                                    .orElse(0));
        } catch (IdUnavailableException e) {
            try {
                unit.ids().requireAbove(sequence, ids);
            } catch (IdConfigurationException tooLow) {
                e.addSuppressed(tooLow);
                throw e;
            }
            LOG.log(
                    Level.WARNING,
                    "A server of a sequence was not raised, since it is down: seq=" + sequence + ". " + e.getMessage());
        }
    }

    private void refuse(IdConfigurationException e) {
        String message = place.entity() + " (seq=" + sequence + "): " + e.getMessage();
        if (!place.assigned() || !holdsTime()) {
            throw new IdConfigurationException(message, e);
        }
        LOG.log(
                Level.WARNING,
                message + ". The start goes on, since this id may have been assigned or imported"
                        + " (@DistributedId(assigned = true))");
    }

    /** An imported id may have a future time. A counter, however, would later repeat an imported id above it. */
    private boolean holdsTime() {
        try {
            return unit.ids().time(sequence) != null;
        } catch (IdConfigurationException e) {
            return false;
        }
    }

    private void warn(String reason, boolean helpedByIndex, @Nullable Throwable cause) {
        LOG.log(
                Level.WARNING,
                place.entity() + "." + place.ids().path() + " (seq=" + sequence
                        + ") is not compared with the ids that exist:"
                        + " table=" + table + " column=" + column + ", because " + reason
                        + ". If the sequence lies below them, it gives ids twice. "
                        + (helpedByIndex ? "Create an index that begins with the column, or compare" : "Compare")
                        + " it by hand: " + command() + ". To end this warning, set "
                        + DistributedIdSettings.SEQUENCE_PREFIX + sequence + ".existing_ids=ignore",
                cause);
    }

    private void warnOfOthers(String reason) {
        LOG.log(
                Level.WARNING,
                place.entity() + "." + place.ids().path() + " (seq=" + sequence + ") is compared with the largest id"
                        + " alone, and not with the ids of each server: table=" + table + " column=" + column
                        + ", because " + reason + ". A server whose counter lies below its own ids gives them again."
                        + " Compare it by hand: " + command());
    }

    private String command() {
        return "distributedid cut-over " + sequence + " --dry-run --table '" + table + "' --column '" + column
                + "' --shard URL";
    }
}
