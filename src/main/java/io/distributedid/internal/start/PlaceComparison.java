package io.distributedid.internal.start;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.SequenceStatistics;
import io.distributedid.ServerStatistics;
import io.distributedid.internal.existing.IdColumn;
import io.distributedid.internal.existing.StartIds;
import io.distributedid.internal.existing.StartIds.Found;
import io.distributedid.internal.place.RememberedPlaces;
import io.distributedid.internal.place.RememberedPlaces.IdSpace;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.internal.settings.CoreSettings.ExistingIds;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Compares columns with their sequences, according to {@code distributedid.existing_ids}. Usual columns are read
 * together, and counters are asked together. If a column can't be read in time, logs a warning: that must neither fail
 * nor delay each start.
 */
public final class PlaceComparison {

    private final List<IdPlace> places;

    private final DistributedIds ids;

    private final Settings settings;

    private final Logger log;

    /**
     * Compares nothing yet.
     *
     * @param places without those that the settings exclude
     * @param log gets the warnings, in the name of the provider's package
     */
    public PlaceComparison(Collection<IdPlace> places, DistributedIds ids, Settings settings, Logger log) {
        this.places = List.copyOf(places);
        this.ids = ids;
        this.settings = settings;
        this.log = log;
    }

    /** Whether the settings exclude a sequence from the comparison. */
    public static boolean isIgnored(String sequence, Settings settings) {
        return mode(sequence, settings) == ExistingIds.IGNORE;
    }

    private static ExistingIds mode(String sequence, Settings settings) {
        return settings.forSequence(sequence).get(CoreSettings.EXISTING_IDS);
    }

    private boolean isRaised(IdPlace place) {
        return mode(place.sequence(), settings) == ExistingIds.RAISE;
    }

    /** How long each query for the ids of a column may take. */
    private Duration limit(IdPlace place) {
        return settings.forSequence(place.sequence()).get(CoreSettings.EXISTING_IDS_TIMEOUT);
    }

    /** Reads what does not need the sequences. They may be opened meanwhile. */
    public void readLargest(StartConnection connection) throws SQLException {
        Map<IdColumn, Duration> limits = new LinkedHashMap<>();
        places.stream()
                .filter(place -> place.rewrittenBy().isEmpty())
                .forEach(place -> limits.put(place.largest(), limit(place)));
        if (!limits.isEmpty()) {
            connection.ids().readLargest(limits);
        }
    }

    /**
     * Fails if a sequence takes its ids from another place than the database remembers, or if a counter, or the clock,
     * would give existing ids. In this order: no counter may be raised in the wrong place, and no id may be given
     * before it is above those that exist. The sequences must be open.
     *
     * @param spaces that are not compared yet, by the names of the sequences
     */
    public void compare(StartConnection connection, Map<String, IdSpace> spaces) throws SQLException {
        if (!spaces.isEmpty()) {
            connection.places().check(spaces);
        }
        Map<IdPlace, Found> found = read(connection);
        Map<String, List<Long>> existing = new LinkedHashMap<>();
        Map<String, List<Long>> raised = new LinkedHashMap<>();
        found.forEach((place, read) -> (isRaised(place) ? raised : existing)
                .computeIfAbsent(place.sequence(), sequence -> new ArrayList<>())
                .addAll(read.ids().stream().filter(id -> id > 0).toList()));
        ids.admin().prepareAbove(existing);
        ids.admin().prepareRaiseAbove(raised);
        for (Map.Entry<IdPlace, Found> each : found.entrySet()) {
            compare(each.getKey(), each.getValue(), connection);
        }
    }

    private Map<IdPlace, Found> read(StartConnection connection) throws SQLException {
        Map<IdPlace, Found> found = new LinkedHashMap<>();
        Map<IdPlace, IdColumn> columns = new LinkedHashMap<>();
        Map<IdColumn, Duration> limits = new LinkedHashMap<>();
        for (IdPlace place : places) {
            if (place.rewrittenBy().isPresent()) {
                found.put(
                        place, Found.unread(place.rewrittenBy().get() + " writes its values, which SQL can't compare"));
            } else {
                IdColumn column = column(place, connection);
                columns.put(place, column);
                limits.put(column, limit(place));
            }
        }
        Map<IdColumn, Found> read =
                limits.isEmpty() ? Map.of() : connection.ids().read(limits);
        columns.forEach((place, column) -> found.put(place, Objects.requireNonNull(read.get(column))));
        return found;
    }

    /** The column, and which of its ids the sequence is compared with. */
    private IdColumn column(IdPlace place, StartConnection connection) throws SQLException {
        AtomicReference<IdColumn> found = new AtomicReference<>(place.largest());
        if (!isRaised(place) && !isPassed(place, connection)) {
            ids.admin().requireAbove(place.sequence(), (step, distance) -> {
                found.set(place.column(step, distance));
                return List.of();
            });
        }
        return found.get();
    }

    /** Whether all servers have given the largest id or higher ones: then the largest of each server are not needed. */
    private boolean isPassed(IdPlace place, StartConnection connection) {
        List<ServerStatistics> servers = ids.statistics(place.sequence())
                .map(SequenceStatistics::servers)
                .orElse(List.of());
        OptionalLong largest = connection.ids().largest(place.largest());
        return largest.isPresent()
                && !servers.isEmpty()
                && servers.stream().allMatch(each -> each.counter().orElse(0) >= largest.getAsLong());
    }

    private void compare(IdPlace place, Found found, StartConnection connection) throws SQLException {
        warnOfGap(place, found);
        if (!found.gap().isEmpty() && found.ids().isEmpty()) {
            return;
        }
        try {
            if (isRaised(place)) {
                raise(place, found, connection);
            } else {
                ids.admin().requireAbove(place.sequence(), (step, distance) -> found.ids());
            }
        } catch (IdConfigurationException e) {
            refuse(place, e);
        }
    }

    /**
     * A raise needs all servers, or the active process, and a clock that soon passes the ids. If one of these is
     * missing, the start goes on if no server that answers has to be raised.
     */
    private void raise(IdPlace place, Found found, StartConnection connection) throws SQLException {
        try {
            ids.admin()
                    .raise(
                            place.sequence(),
                            found.ids().stream()
                                    .mapToLong(Long::longValue)
                                    .max()
                                    .orElse(0));
        } catch (IdUnavailableException e) {
            try {
                ids.admin()
                        .requireAbove(
                                place.sequence(),
                                (step, distance) -> readAgain(place, place.column(step, distance), connection));
            } catch (IdConfigurationException tooLow) {
                e.addSuppressed(tooLow);
                throw e;
            }
            log.log(
                    Level.WARNING,
                    "A sequence was not raised"
                            + (e instanceof IdStandbyException
                                    ? ", since another process issues its ids: seq="
                                    : ". No server that answers needs to be raised, so the start goes on: seq=")
                            + place.sequence() + ". " + e.getMessage());
        }
    }

    private List<Long> readAgain(IdPlace place, IdColumn column, StartConnection connection) throws SQLException {
        Map<IdColumn, Found> read = new StartIds(connection.get()).read(Map.of(column, limit(place)));
        Found found = Objects.requireNonNull(read.get(column));
        warnOfGap(place, found);
        return found.ids();
    }

    private void refuse(IdPlace place, IdConfigurationException e) {
        String message = place.entity() + " (seq=" + place.sequence() + "): " + e.getMessage();
        if (!place.assigned() || !holdsTime(place)) {
            throw new IdConfigurationException(Pages.withOneRow(message + RememberedPlaces.RESET), e);
        }
        log.log(
                Level.WARNING,
                Pages.withOneRow(message + ". The start goes on, since this id may have been assigned or imported"
                        + " (@DistributedId(assigned = true))"));
    }

    /** An imported id may have a future time. A counter, however, would later repeat an imported id above it. */
    private boolean holdsTime(IdPlace place) {
        try {
            return ids.time(place.sequence()) != null;
        } catch (IdConfigurationException e) {
            return false;
        }
    }

    private void warnOfGap(IdPlace place, Found found) {
        if (found.gap().isEmpty()) {
            return;
        }
        String what = place.entity() + "." + place.path() + " (seq=" + place.sequence();
        String why = ": table=" + place.table() + " column=" + place.column() + ", because " + found.gap();
        log.log(
                Level.WARNING,
                found.ids().isEmpty()
                        ? what + ") is not compared with the ids that exist" + why
                                + ". If the sequence lies below them, it issues ids twice. "
                                + advice(place, found.helpedByIndex()) + ". To end this warning, set "
                                + Setting.SEQUENCE_PREFIX + place.sequence() + ".existing_ids=ignore"
                                + Pages.onCall("not-compared")
                        : what + ") is compared with the largest id alone, and not with the ids of each server" + why
                                + ". A server whose counter lies below its own ids issues them again. Compare it by"
                                + " hand: " + command(place),
                found.cause());
    }

    private static String advice(IdPlace place, boolean helpedByIndex) {
        if (place.rewrittenBy().isPresent()) {
            return "Find the largest number that a value of the column stands for, and raise the sequence above it:"
                    + " distributedid raise " + place.sequence() + " --above NUMBER";
        }
        return (helpedByIndex ? "Create an index that begins with the column, or compare" : "Compare") + " it by hand: "
                + command(place);
    }

    private static String command(IdPlace place) {
        return "distributedid raise " + place.sequence() + " --dry-run --table '" + place.table() + "' --column '"
                + place.column() + "' --database URL";
    }
}
