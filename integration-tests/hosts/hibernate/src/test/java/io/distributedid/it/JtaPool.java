package io.distributedid.it;

import com.arjuna.ats.jdbc.TransactionalDriver;
import com.arjuna.ats.jta.TransactionManager;
import com.arjuna.ats.jta.common.jtaPropertyManager;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.narayana.NarayanaTransactionIntegration;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import javax.sql.XADataSource;

/** Data sources whose connections take part in Narayana's transactions. */
enum JtaPool {
    /** Enlists a connection when it is borrowed, and refuses to let it be used in a transaction in which it was not. */
    AGROAL {
        @Override
        DataSource open(String url) throws SQLException {
            return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .connectionPoolConfiguration(pool -> pool.maxSize(5)
                            .transactionIntegration(new NarayanaTransactionIntegration(
                                    TransactionManager.transactionManager(),
                                    jtaPropertyManager.getJTAEnvironmentBean().getTransactionSynchronizationRegistry()))
                            .connectionFactoryConfiguration(
                                    factory -> factory.connectionProviderClass(ObservedXaDataSource.class)
                                            .jdbcUrl(url))));
        }
    },
    /** Enlists a connection when it is used. */
    NARAYANA {
        @Override
        DataSource open(String url) {
            ObservedXaDataSource database = new ObservedXaDataSource();
            database.setUrl(url);
            return new NarayanaDataSource(url, database);
        }
    };

    abstract DataSource open(String url) throws SQLException;

    private record NarayanaDataSource(String url, XADataSource database) implements DataSource {

        @Override
        public Connection getConnection() throws SQLException {
            Properties properties = new Properties();
            properties.put(TransactionalDriver.XADataSource, database);
            // For all databases together.
            properties.setProperty(TransactionalDriver.maxConnections, "1000");
            return new TransactionalDriver().connect(TransactionalDriver.arjunaDriver + url, properties);
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }

        @Override
        public PrintWriter getLogWriter() throws SQLException {
            return database.getLogWriter();
        }

        @Override
        public void setLogWriter(PrintWriter out) throws SQLException {
            database.setLogWriter(out);
        }

        @Override
        public void setLoginTimeout(int seconds) throws SQLException {
            database.setLoginTimeout(seconds);
        }

        @Override
        public int getLoginTimeout() throws SQLException {
            return database.getLoginTimeout();
        }

        @Override
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            return database.getParentLogger();
        }

        @Override
        public <T> T unwrap(Class<T> type) throws SQLException {
            throw new SQLFeatureNotSupportedException("No " + type);
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return false;
        }
    }
}
