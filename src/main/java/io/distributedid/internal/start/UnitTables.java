package io.distributedid.internal.start;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.registry.BackendSchemas;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Settings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Our tables and functions in the database of a persistence unit. */
public final class UnitTables {

    private UnitTables() {}

    /**
     * What the backends need there, and the ledger that remembers the places of sequences, which may be that of
     * counters.
     *
     * @param keyed sequences with numbers per key
     */
    public static List<SchemaObject> of(Settings settings, SchemaTarget target, Set<String> keyed) {
        BackendSchemas schemas = new BackendSchemas(settings);
        List<SchemaObject> objects = new ArrayList<>(schemas.ofApplication(target, keyed));
        SchemaObject ledger = new LedgerSql(target.product(), LedgerSql.NAME).schemaObject();
        if (schemas.haveToken()
                && objects.stream().noneMatch(each -> each.name().equals(ledger.name()))) {
            objects.add(ledger);
        }
        requireNames(objects);
        return objects;
    }

    private static void requireNames(List<SchemaObject> objects) {
        Set<String> names = new HashSet<>();
        for (SchemaObject object : objects) {
            if (!names.add(object.name())) {
                throw new IdConfigurationException("Two sequences must not need tables or functions with one name and"
                        + " different definitions: name=" + object.name() + ". Give one of them another name: "
                        + object.createSql());
            }
        }
    }
}
