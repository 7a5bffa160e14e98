package io.distributedid.internal.registry;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.keyed.KeyedBackendProvider;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Refuses numbers per key that would begin again in the application's database, because their rows lie in one of the
 * {@link OtherDatabases}. The rows themselves are the record: if the application's database has one of the sequence, no
 * other is asked. Numbers of which the settings name the place are not compared. Thread-safe.
 */
final class KeyedPlaceCheck {

    private final Optional<ConnectionAccess> applicationDatabase;

    private final OtherDatabases others;

    KeyedPlaceCheck(Optional<ConnectionAccess> applicationDatabase, OtherDatabases others) {
        this.applicationDatabase = applicationDatabase;
        this.others = others;
    }

    boolean isNeeded(Sequence sequence) {
        return applicationDatabase.isPresent()
                && !others.isEmpty()
                && KeyedBackendProvider.isInApplication(sequence.settings());
    }

    /** Called before the first number. */
    void check(Sequence sequence) {
        if (!hasBegun(sequence, applicationDatabase.orElseThrow())) {
            others.any(sequence, true, (connection, database) -> {
                if (KeyedBackendProvider.hasRow(connection, database.namespace(), sequence)) {
                    throw begun(sequence, database.label());
                }
                return false;
            });
        }
    }

    private static boolean hasBegun(Sequence sequence, ConnectionAccess own) {
        try {
            return OtherDatabases.ask(
                    sequence,
                    own,
                    (connection, database) -> KeyedBackendProvider.hasRow(connection, database.namespace(), sequence));
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "Can't read from the application's database whether a sequence has begun there: " + sequence + ", "
                            + own.label() + " said: " + FailureText.of(e),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while asking the application's database: " + sequence, e);
        }
    }

    private IdConfigurationException begun(Sequence sequence, String there) {
        String setting = KeyedBackendProvider.servers(sequence.settings())
                .map(Setting::name)
                .orElseThrow()
                .substring(DistributedIdSettings.PREFIX.length());
        String own = applicationDatabase.orElseThrow().label();
        return new IdConfigurationException("The numbers of a sequence have begun in another database: seq="
                + sequence.name() + " has rows in " + there + ", and none in " + own
                + ", where each key would begin again. Name the place of its rows: "
                + DistributedIdSettings.SEQUENCE_PREFIX + sequence.name() + "." + setting
                + ", allowed: a DataSource bean, or a URL. If those rows are of another application, name the database"
                + " in which it is to begin");
    }
}
