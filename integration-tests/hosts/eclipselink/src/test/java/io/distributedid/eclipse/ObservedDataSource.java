package io.distributedid.eclipse;

import com.arjuna.ats.jta.TransactionManager;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import org.h2.jdbcx.JdbcDataSource;

/**
 * Connections to H2 that take part in a transaction of Narayana, if there is one when they are borrowed. Counts them,
 * and the calls of prepared statements.
 */
final class ObservedDataSource implements InvocationHandler {

    private final JdbcDataSource database = new JdbcDataSource();

    private final DataSource shown = proxy(DataSource.class, this);

    /** By the name of the thread that borrowed a connection in its transaction. */
    final Map<String, Integer> enlisted = new ConcurrentHashMap<>();

    final AtomicInteger open = new AtomicInteger();

    /** Calls by name of the method and the first words of the statement: {@code executeBatch INSERT INTO PHOTO}. */
    final Map<String, Integer> calls = new ConcurrentHashMap<>();

    ObservedDataSource(String url) {
        database.setURL(url);
    }

    DataSource dataSource() {
        return shown;
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(ObservedDataSource.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object call(Object target, Method method, Object... arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        return method.getName().equals("getConnection") ? borrow() : call(database, method, arguments);
    }

    private Connection borrow() throws SQLException, SystemException, RollbackException {
        XAConnection physical = database.getXAConnection();
        open.incrementAndGet();
        Transaction transaction = TransactionManager.transactionManager().getTransaction();
        if (transaction == null) {
            return observed(physical, () -> close(physical));
        }
        enlisted.merge(Thread.currentThread().getName(), 1, Integer::sum);
        transaction.enlistResource(physical.getXAResource());
        transaction.registerSynchronization(new Synchronization() {
            @Override
            public void beforeCompletion() {
                // The connection stays open until the transaction has ended.
            }

            @Override
            public void afterCompletion(int status) {
                close(physical);
            }
        });
        return observed(physical, () -> {});
    }

    private void close(XAConnection physical) {
        try {
            physical.close();
            open.decrementAndGet();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private Connection observed(XAConnection physical, Runnable close) throws SQLException {
        Connection connection = physical.getConnection();
        return proxy(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().equals("close")) {
                close.run();
                return null;
            }
            Object result = call(connection, method, arguments);
            return result instanceof PreparedStatement statement
                    ? observed(statement, arguments[0].toString().replaceFirst("^(\\w+ \\w+ \\w+).*", "$1"))
                    : result;
        });
    }

    private PreparedStatement observed(PreparedStatement statement, String words) {
        return proxy(PreparedStatement.class, (proxy, method, arguments) -> {
            calls.merge(method.getName() + " " + words, 1, Integer::sum);
            return call(statement, method, arguments);
        });
    }
}
