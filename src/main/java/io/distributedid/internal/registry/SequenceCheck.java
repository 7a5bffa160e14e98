package io.distributedid.internal.registry;

import io.distributedid.DistributedIdException;
import io.distributedid.Finding;
import io.distributedid.internal.existing.ExistingIds;
import io.distributedid.internal.jdbc.AutoIncrementColumns;
import io.distributedid.spi.Backend;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks sequences as they are now. An error becomes a finding. */
public final class SequenceCheck {

    private final SequenceRegistry registry;

    public SequenceCheck(SequenceRegistry registry) {
        this.registry = registry;
    }

    /** Checks a sequence and its servers. Opens it only if its backend has no other check. */
    public List<Finding> check(String name) {
        try {
            List<Finding> findings = registry.check(name);
            return findings.isEmpty() ? checkByOpening(name) : findings;
        } catch (DistributedIdException e) {
            return List.of(Finding.failed("start", "", String.valueOf(e.getMessage())));
        }
    }

    private List<Finding> checkByOpening(String name) {
        Map<String, Long> last = registry.opened(name, "check").counters();
        return last.isEmpty()
                ? List.of(Finding.ok("start", "", "opened"))
                : last.entrySet().stream()
                        .map(server -> Finding.ok("counter", server.getKey(), "id=" + server.getValue()))
                        .toList();
    }

    /** Checks a sequence, its servers, and the column that holds its ids. */
    public List<Finding> check(String name, Connection connection, String table, String column) throws SQLException {
        List<Finding> findings = new ArrayList<>(check(name));
        long largest = ExistingIds.largest(connection, table, column).orElse(0);
        checkAbove(name, largest).ifPresent(findings::add);
        findings.add(AutoIncrementColumns.check(connection, "", AutoIncrementColumns.Place.of(table, column)));
        return List.copyOf(findings);
    }

    /** See {@link Backend#checkAbove}. Opens nothing. */
    public Optional<Finding> checkAbove(String name, long existing) {
        try {
            return registry.configured(name, "check").checkAbove(existing);
        } catch (DistributedIdException e) {
            return Optional.of(Finding.failed("existing ids", "", String.valueOf(e.getMessage())));
        }
    }
}
