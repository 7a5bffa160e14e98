package io.distributedid.spi;

import io.distributedid.IdConfigurationException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;

/** The databases whose SQL the backends speak. */
public enum DatabaseProduct {
    /** MySQL 5.7 and later. */
    MYSQL,
    /** MariaDB 10.2.4 and later, by its own driver or by MySQL's. */
    MARIADB,
    /** PostgreSQL 12 and later. */
    POSTGRESQL,
    /** H2 2.x. */
    H2;

    /**
     * Finds a product by its name.
     *
     * @param name of a constant, in any case
     * @return the product
     * @throws IdConfigurationException if it is none of these
     */
    public static DatabaseProduct named(String name) {
        return Arrays.stream(values())
                .filter(product -> product.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IdConfigurationException("There is no SQL for this database: database=" + name
                        + ", allowed: mysql, mariadb, postgresql, h2"));
    }

    /**
     * Determines the product of a connection.
     *
     * @param connection to any database
     * @return its product; empty if it is none of these
     * @throws SQLException if the driver fails to name it
     */
    public static Optional<DatabaseProduct> find(Connection connection) throws SQLException {
        try {
            return Optional.of(of(connection));
        } catch (IdConfigurationException e) {
            return Optional.empty();
        }
    }

    /**
     * Determines the product of a connection, and refuses others.
     *
     * @param connection to any database
     * @return its product
     * @throws SQLException if the driver fails to name it
     * @throws IdConfigurationException if it is none of these
     */
    public static DatabaseProduct of(Connection connection) throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        String name = metaData.getDatabaseProductName();
        String version = metaData.getDatabaseProductVersion();
        return switch (name) {
            case "MySQL" -> version.contains("MariaDB") ? MARIADB : MYSQL;
            case "MariaDB" -> MARIADB;
            case "PostgreSQL" -> POSTGRESQL;
            case "H2" -> H2;
            default ->
                throw new IdConfigurationException("Ids can't be reserved on this database: product=" + name
                        + ", allowed: MySQL, MariaDB, PostgreSQL, H2");
        };
    }
}
