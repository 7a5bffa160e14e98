package io.distributedid.cli;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The place of a sequence that a file of old settings names, until it is retired. For one thread. */
final class OldPlace implements AutoCloseable {

    private final Path file;

    private final String sequence;

    private final DistributedIds ids;

    OldPlace(Path file, String sequence, DistributedIds ids) {
        this.file = file;
        this.sequence = sequence;
        this.ids = ids;
    }

    /**
     * Looks at all its servers and changes none. Returns the tokens of its record: none if it was never used.
     *
     * @param newToken of the new place, which must not be retired: that can't be undone
     */
    Set<String> look(String newToken) {
        List<CheckResult> results = ids.check(sequence);
        requireAnswers(results);
        boolean hasFailed = results.stream().anyMatch(result -> result.status() == CheckResult.Status.FAILED);
        if (!hasFailed && CounterReport.last(results).isEmpty()) {
            // It does not count. This fails, and says what to do in place of it.
            retire();
        }
        Set<String> tokens = CounterReport.tokens(results);
        if (tokens.contains(newToken)) {
            throw new IdConfigurationException(
                    "The old place and the new one are the same, or one is a copy of the other: token=" + newToken
                            + ", --retire=" + file
                            + ". Name the settings of the other place; for a copy, retire the old one first"
                            + " (distributedid retire "
                            + sequence + "), and then repair the new one (distributedid repair " + sequence
                            + " --above ID)");
        }
        return tokens;
    }

    private void requireAnswers(List<CheckResult> results) {
        for (CheckResult result : results) {
            if (result.what().equals("connection") && result.status() == CheckResult.Status.FAILED) {
                throw new IdUnavailableException("All servers of a place that is retired must answer: --retire=" + file
                        + ", " + result.server() + " said: " + result.detail() + ". Repeat the command when they do");
            }
        }
    }

    /** Ends its use for good. Returns for each server an upper bound of the ids that it gave. */
    Map<String, Long> retire() {
        return ids.retire(sequence).lastIds();
    }

    @Override
    public void close() {
        ids.close();
    }
}
