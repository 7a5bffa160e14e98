package io.distributedid.internal.registry;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIdException;
import io.distributedid.internal.existing.AutoIncrementColumns;
import io.distributedid.internal.existing.ExistingIds;
import io.distributedid.spi.Backend;
import io.distributedid.spi.Maintenance;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks sequences for the tools. An exception becomes a failed result. */
public final class SequenceCheck {

    private final SequenceRegistry registry;

    public SequenceCheck(SequenceRegistry registry) {
        this.registry = registry;
    }

    /**
     * See {@link Backend#check(io.distributedid.spi.Sequence, long)}. Opens the sequence only if its backend has no
     * check of its own.
     */
    public List<CheckResult> check(String name, long above) {
        try {
            List<CheckResult> results = registry.check(name, above);
            return results.isEmpty() ? checkByOpening(name) : results;
        } catch (DistributedIdException e) {
            return List.of(CheckResult.failed("start", "", String.valueOf(e.getMessage())));
        }
    }

    private List<CheckResult> checkByOpening(String name) {
        Map<String, Long> last = registry.opened(name, "check").counters();
        return last.isEmpty()
                ? List.of(CheckResult.ok("start", "", "opened"))
                : last.entrySet().stream()
                        .map(each -> CheckResult.counter(
                                each.getKey(), CheckResult.Status.OK, "id=" + each.getValue(), each.getValue()))
                        .toList();
    }

    /** Checks a sequence, its servers, and the column that holds its ids. */
    public List<CheckResult> check(String name, Connection connection, String table, String column)
            throws SQLException {
        List<CheckResult> results = new ArrayList<>(check(name, 0));
        long largest = ExistingIds.largest(connection, table, column).orElse(0);
        checkAbove(name, largest).ifPresent(results::add);
        results.add(AutoIncrementColumns.check(connection, "", AutoIncrementColumns.Place.of(table, column)));
        return List.copyOf(results);
    }

    /** See {@link Maintenance#checkAbove}. Opens nothing. */
    public Optional<CheckResult> checkAbove(String name, long existing) {
        try {
            return registry.configured(name, "check").checkAbove(existing);
        } catch (DistributedIdException e) {
            return Optional.of(CheckResult.failed("existing ids", "", String.valueOf(e.getMessage())));
        }
    }
}
