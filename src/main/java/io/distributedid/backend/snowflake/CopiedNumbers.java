package io.distributedid.backend.snowflake;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.backend.snowflake.lease.LeaseSettings;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * The worker number of a process that was resumed. Other copies of it may run, with the same settings: a number that
 * stands in them is the same in all copies, and nothing tells them apart. A leased number is taken anew. One that comes
 * from the host's name, or whose use a state file remembers, is as good as that name or file: it is used with a
 * warning.
 */
final class CopiedNumbers {

    private static final Logger LOG = System.getLogger(CopiedNumbers.class.getName());

    private CopiedNumbers() {}

    /** @throws IdConfigurationException if all copies have the same number */
    static void requireOwn(Settings settings, IdLayout layout) {
        if (layout.has(IdField.WORKER) && LeaseSettings.isLeased(settings)) {
            return;
        }
        Optional<String> worker = settings.find(CoreSettings.SNOWFLAKE_WORKER);
        Optional<String> file = settings.find(SnowflakeSettings.STATE_FILE);
        String number = worker.map(text -> DistributedIdSettings.SNOWFLAKE_WORKER + "=" + text)
                .orElse("layout=" + layout);
        if (file.isPresent()) {
            warn(
                    number,
                    "has this state file, or a copy of it: " + DistributedIdSettings.SNOWFLAKE_STATE_FILE + "="
                            + file.get());
        } else if (worker.filter(text -> text.startsWith("statefulset")).isPresent()) {
            warn(number, "has a host name with the same ordinal");
        } else {
            throw new IdConfigurationException(
                    "A process that was resumed must not go on with a fixed worker number, which every other copy of it has too: "
                            + number + ". Set " + DistributedIdSettings.SNOWFLAKE_WORKER
                            + "=lease, or start a process instead of resuming it");
        }
    }

    private static void warn(String number, String unlessOther) {
        LOG.log(
                Level.WARNING,
                "A worker number is used again by a process that was resumed: {0}. Ids are unique only if no other copy of the process {1}."
                        + " A leased number needs no such care",
                number,
                unlessOther);
    }
}
