package io.distributedid.hibernate.internal.schema;

import io.distributedid.backend.nextid.NextIdSchema;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hibernate.boot.model.relational.AuxiliaryDatabaseObject;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.PostgreSQLDialect;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.hibernate.service.ServiceRegistry;

/**
 * The function {@code next_id()} in Hibernate's schema export, before the tables whose columns have it as DEFAULT.
 *
 * <p>Hibernate drops such objects and creates them anew whenever it updates a schema. The sequence must go on where it was, so that there
 * is nothing to drop it with, and creating it twice changes nothing.
 */
final class NextIdExport implements AuxiliaryDatabaseObject {

    private static final long serialVersionUID = 1L;

    private static final String[] NOTHING = {};

    private final String[] create;

    private NextIdExport(List<String> create) {
        this.create = create.toArray(NOTHING);
    }

    /** Empty if there is none, or if every connection belongs to a tenant, each of which may be another shard. */
    static Optional<AuxiliaryDatabaseObject> of(
            Settings settings, Map<String, Object> all, Dialect dialect, ServiceRegistry registry) {
        if (!(dialect instanceof PostgreSQLDialect)
                || registry.getService(MultiTenantConnectionProvider.class) != null) {
            return Optional.empty();
        }
        Optional<String> schema =
                Optional.ofNullable(all.get("hibernate.default_schema")).map(Object::toString);
        List<String> statements = NextIdSchema.inOwnDatabase(settings, schema);
        return statements.isEmpty() ? Optional.empty() : Optional.of(new NextIdExport(statements));
    }

    @Override
    public String getExportIdentifier() {
        return "distributedid.next_id";
    }

    @Override
    public boolean appliesToDialect(Dialect dialect) {
        return dialect instanceof PostgreSQLDialect;
    }

    @Override
    public boolean beforeTablesOnCreation() {
        return true;
    }

    @Override
    public String[] sqlCreateStrings(SqlStringGenerationContext context) {
        return create.clone();
    }

    @Override
    public String[] sqlDropStrings(SqlStringGenerationContext context) {
        return NOTHING;
    }
}
