package io.distributedid.backend.snowflake;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * Checks the worker number of a process that was resumed from a snapshot. Other copies of the process may run with the
 * same settings. A number written in the settings is the same in all copies, so it is refused. A leased number is
 * leased anew. A number from the host name or with a state file is used with a warning: it is unique only if the host
 * name or the file is.
 */
final class CopiedNumbers {

    private static final Logger LOG = System.getLogger(CopiedNumbers.class.getName());

    private CopiedNumbers() {}

    /** @throws IdConfigurationException if all copies have the same number */
    static void requireNotCopied(Settings settings, IdLayout layout) {
        boolean isAnyNumber = layout.has(IdField.WORKER) && LeaseSettings.isLeased(settings);
        if (isAnyNumber || LeaseSettings.isExclusive(settings)) {
            return;
        }
        Optional<String> worker = settings.find(CoreSettings.SNOWFLAKE_WORKER);
        Optional<String> file = settings.find(SnowflakeSettings.STATE_FILE);
        String number =
                worker.map(text -> "distributedid.snowflake.worker=" + text).orElse("layout=" + layout);
        if (file.isPresent()) {
            warn(number, "has this state file, or a copy of it: distributedid.snowflake.state_file=" + file.get());
        } else if (worker.filter(text -> text.startsWith("statefulset")).isPresent()) {
            warn(number, "has a host name with the same ordinal");
        } else {
            throw new IdConfigurationException(
                    "A process that was resumed must not go on with a fixed worker number, which every other copy of it"
                            + " has too: " + number + ". Set distributedid.snowflake.worker"
                            + "=lease, or start a process instead of resuming it");
        }
    }

    private static void warn(String number, String unlessOther) {
        LOG.log(
                Level.WARNING,
                "A worker number is used again by a process that was resumed: {0}. Ids are unique only if no other copy"
                        + " of the process {1}. A leased number needs no such care",
                number,
                unlessOther);
    }
}
