package io.distributedid.hibernate.internal.schema;

import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.SchemaObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.AuxiliaryDatabaseObject;
import org.hibernate.boot.model.relational.QualifiedTableName;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.H2Dialect;
import org.hibernate.dialect.MariaDBDialect;
import org.hibernate.dialect.MySQLDialect;
import org.hibernate.dialect.PostgreSQLDialect;

/**
 * A table or function of a backend in Hibernate's schema export. {@code create} and {@code update} create it if it is
 * missing; nothing drops or empties it. A contributed {@link org.hibernate.mapping.Table} would be dropped by
 * {@code create}, {@code create-drop} and {@code drop} of any application that shares the database. The others would
 * then repeat their ids.
 *
 * <pre>
 * CREATE TABLE IF NOT EXISTS sequence (name VARCHAR(50) NOT NULL PRIMARY KEY, id BIGINT NOT NULL DEFAULT 0)
 * </pre>
 *
 * <p>{@code validate} does not check it. The start does, in every mode.
 */
final class SchemaObjectExport implements AuxiliaryDatabaseObject {

    private static final long serialVersionUID = 1L;

    private static final String[] NOTHING = {};

    private static final List<String> CREATE_SCHEMAS = List.of(
            "jakarta.persistence.create-database-schemas",
            "javax.persistence.create-database-schemas",
            "hibernate.hbm2ddl.create_namespaces",
            "hibernate.hbm2dll.create_namespaces");

    private final transient SchemaObject object;

    private final boolean createSchema;

    private SchemaObjectExport(SchemaObject object, boolean createSchema) {
        this.object = object;
        this.createSchema = createSchema;
    }

    static AuxiliaryDatabaseObject of(SchemaObject object, Map<String, Object> settings) {
        boolean createSchemas = CREATE_SCHEMAS.stream()
                .flatMap(name -> Stream.ofNullable(settings.get(name)))
                .findFirst()
                .filter(value -> Boolean.parseBoolean(value.toString()))
                .isPresent();
        return new SchemaObjectExport(object, createSchemas);
    }

    @Override
    public String getExportIdentifier() {
        return "distributedid." + object.name();
    }

    /** Objects other than tables have the SQL of one database. They are omitted if Hibernate's dialect is unknown. */
    @Override
    public boolean appliesToDialect(Dialect dialect) {
        return object instanceof SchemaObject.Table
                || dialect instanceof PostgreSQLDialect
                || product(dialect) != DatabaseProduct.POSTGRESQL;
    }

    @Override
    public boolean beforeTablesOnCreation() {
        return true;
    }

    @Override
    public String[] sqlCreateStrings(SqlStringGenerationContext context) {
        return object instanceof SchemaObject.Table table ? create(table, context) : new String[] {object.createSql()};
    }

    /** In the default catalog and schema, unless the table's name has its own. No naming strategy applies. */
    private String[] create(SchemaObject.Table table, SqlStringGenerationContext context) {
        DatabaseProduct product = product(context.getDialect());
        boolean inCatalogs = product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB;
        int dot = table.name().lastIndexOf('.');
        Optional<String> schema =
                dot < 0 ? Optional.empty() : Optional.of(table.name().substring(0, dot));
        Identifier namespace = schema.map(Identifier::toIdentifier).orElse(null);
        String qualified = context.format(new QualifiedTableName(
                inCatalogs ? namespace : null,
                inCatalogs ? null : namespace,
                Identifier.toIdentifier(table.name().substring(dot + 1))));
        List<String> statements = new ArrayList<>();
        if (createSchema) {
            // Not as a Hibernate namespace, which would be dropped with all its tables.
            schema.ifPresent(name -> statements.add("CREATE SCHEMA IF NOT EXISTS " + name));
        }
        statements.add(table.ddl().apply(qualified));
        return statements.toArray(NOTHING);
    }

    @Override
    public String[] sqlDropStrings(SqlStringGenerationContext context) {
        return NOTHING;
    }

    /** Other dialects count as PostgreSQL. Unsupported databases are refused after connecting. */
    static DatabaseProduct product(Dialect dialect) {
        if (dialect instanceof MariaDBDialect) {
            return DatabaseProduct.MARIADB;
        }
        if (dialect instanceof MySQLDialect) {
            return DatabaseProduct.MYSQL;
        }
        return dialect instanceof H2Dialect ? DatabaseProduct.H2 : DatabaseProduct.POSTGRESQL;
    }
}
