package io.distributedid.hibernate;

import io.distributedid.internal.DatabaseProduct;
import io.distributedid.sequencetable.SequenceTableSchema;
import io.distributedid.spi.Settings;
import java.util.Optional;
import org.hibernate.boot.ResourceStreamLocator;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.boot.model.relational.Namespace;
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
 * Adds the sequence tables that lie in the persistence unit's own database to Hibernate's schema export: create, update, validate
 * and drop. Found by {@link java.util.ServiceLoader}.
 */
public final class SequenceTableContributor implements AdditionalMappingContributor {

    private static final String NAME = "distributedid";

    /** For {@link java.util.ServiceLoader}. */
    public SequenceTableContributor() {}

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
        Settings settings = Settings.of(context.getBootstrapContext()
                .getServiceRegistry()
                .requireService(ConfigurationService.class)
                .getSettings());
        for (String name : SequenceTableSchema.tablesInOwnDatabase(settings)) {
            Database database = metadata.getDatabase();
            int dot = name.lastIndexOf('.');
            Identifier schema = dot < 0 ? null : Identifier.toIdentifier(name.substring(0, dot));
            Identifier table = Identifier.toIdentifier(name.substring(dot + 1));
            boolean inCatalogs = product(database.getDialect())
                    .filter(product -> product != DatabaseProduct.H2)
                    .isPresent();
            Namespace namespace = database.locateNamespace(inCatalogs ? schema : null, inCatalogs ? null : schema);
            // Hibernate 7 asks twice.
            if (namespace.locateTable(table) == null) {
                contributions.contributeTable(table(context, namespace, table, database.getDialect()));
            }
        }
    }

    private static Table table(MetadataBuildingContext context, Namespace namespace, Identifier name, Dialect dialect) {
        Table table = new Table(NAME, namespace, name, false);
        Column sequence = column(context, table, "name", "string");
        sequence.setLength(SequenceTableSchema.NAME_LENGTH);
        Column id = column(context, table, "id", "long");
        id.setDefaultValue("0");
        product(dialect)
                .ifPresent(product ->
                        id.setSqlType(SequenceTableSchema.idType(product).toLowerCase(java.util.Locale.ROOT)));
        PrimaryKey key = new PrimaryKey(table);
        key.addColumn(sequence);
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
