package io.distributedid.hibernate;

import io.distributedid.internal.DatabaseProduct;
import io.distributedid.internal.OwnTable;
import io.distributedid.sequencetable.SequenceTableSchema;
import io.distributedid.snowflake.lease.LeaseSettings;
import io.distributedid.spi.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.hibernate.boot.ResourceStreamLocator;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.boot.model.relational.Namespace;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.spi.AdditionalMappingContributions;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.boot.spi.MetadataBuildingContext;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.H2Dialect;
import org.hibernate.dialect.MariaDBDialect;
import org.hibernate.dialect.MySQLDialect;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.mapping.BasicValue;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.PrimaryKey;
import org.hibernate.mapping.Table;

/**
 * Adds the tables and functions of ours that lie in the persistence unit's own database to Hibernate's schema export: create, update, validate
 * and drop. Found by {@link java.util.ServiceLoader}.
 */
public final class OwnTableContributor implements AdditionalMappingContributor {

    private static final String NAME = "distributedid";

    /** For {@link java.util.ServiceLoader}. */
    public OwnTableContributor() {}

    @Override
    public String getContributorName() {
        return NAME;
    }

    @Override
    public void contribute(
            AdditionalMappingContributions contributions,
            InFlightMetadataCollector metadata,
            ResourceStreamLocator resourceStreamLocator,
            MetadataBuildingContext context) {
        StandardServiceRegistry registry = context.getBootstrapContext().getServiceRegistry();
        Map<String, Object> all =
                registry.requireService(ConfigurationService.class).getSettings();
        Settings settings = Settings.of(all);
        NextIdExport.of(settings, all, metadata.getDatabase().getDialect(), registry)
                .ifPresent(contributions::contributeAuxiliaryDatabaseObject);
        List<OwnTable> tables = new ArrayList<>(SequenceTableSchema.tablesInOwnDatabase(settings));
        tables.addAll(LeaseSettings.tablesInOwnDatabase(settings));
        for (OwnTable each : tables) {
            Database database = metadata.getDatabase();
            String name = each.name();
            int dot = name.lastIndexOf('.');
            Identifier schema = dot < 0 ? null : Identifier.toIdentifier(name.substring(0, dot));
            Identifier table = Identifier.toIdentifier(name.substring(dot + 1));
            boolean inCatalogs = product(database.getDialect())
                    .filter(product -> product != DatabaseProduct.H2)
                    .isPresent();
            Namespace namespace = database.locateNamespace(inCatalogs ? schema : null, inCatalogs ? null : schema);
            // Hibernate 7 asks twice.
            if (namespace.locateTable(table) == null) {
                contributions.contributeTable(table(context, namespace, table, each.columns(), database.getDialect()));
            }
        }
    }

    private static Table table(
            MetadataBuildingContext context,
            Namespace namespace,
            Identifier name,
            List<OwnTable.Column> columns,
            Dialect dialect) {
        Table table = new Table(NAME, namespace, name, false);
        PrimaryKey key = new PrimaryKey(table);
        for (OwnTable.Column each : columns) {
            Column column = column(context, table, each.name(), each.length().isPresent() ? "string" : "long");
            each.length().ifPresent(column::setLength);
            each.defaultValue().ifPresent(column::setDefaultValue);
            product(dialect)
                    .map(each.sqlTypes()::get)
                    .ifPresent(type -> column.setSqlType(type.toLowerCase(Locale.ROOT)));
            if (key.getColumns().isEmpty()) {
                key.addColumn(column);
            }
        }
        table.setPrimaryKey(key);
        return table;
    }

    private static Column column(MetadataBuildingContext context, Table table, String name, String type) {
        BasicValue value = new BasicValue(context, table);
        value.setTypeName(type);
        Column column = new Column(name);
        column.setNullable(false);
        column.setValue(value);
        value.addColumn(column);
        table.addColumn(column);
        return column;
    }

    private static Optional<DatabaseProduct> product(Dialect dialect) {
        if (dialect instanceof MariaDBDialect) {
            return Optional.of(DatabaseProduct.MARIADB);
        }
        if (dialect instanceof MySQLDialect) {
            return Optional.of(DatabaseProduct.MYSQL);
        }
        return dialect instanceof H2Dialect ? Optional.of(DatabaseProduct.H2) : Optional.empty();
    }
}
