package io.distributedid.eclipselink;

import io.distributedid.DistributedIds;
import io.distributedid.internal.start.IdPlace;
import io.distributedid.internal.start.PlaceCheck;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.persistence.internal.databaseaccess.DatabasePlatform;
import org.eclipse.persistence.internal.sessions.DatabaseSessionImpl;

/** The columns that hold ids of our sequences. */
final class UnitPlaces {

    private static final Logger LOG = System.getLogger(UnitPlaces.class.getName());

    private UnitPlaces() {}

    /** Those that are compared with their sequences, according to the settings. */
    static List<PlaceCheck> checks(
            List<GeneratedProperty> properties, DatabaseSessionImpl session, DistributedIds ids, Settings settings) {
        List<PlaceCheck> checks = new ArrayList<>();
        for (GeneratedProperty property : properties) {
            if (!PlaceCheck.isIgnored(property.sequence(), settings)) {
                checks.add(new PlaceCheck(place(property, session.getPlatform()), ids, settings, LOG));
            }
        }
        return checks;
    }

    private static IdPlace place(GeneratedProperty property, DatabasePlatform platform) {
        return new IdPlace(
                property.entity().getAlias(),
                property.path(),
                property.sequence(),
                property.format().padded(),
                property.isAssigned(),
                property.field().getTable().getQualifiedNameDelimited(platform),
                property.field().getNameDelimited(platform),
                Optional.empty());
    }
}
