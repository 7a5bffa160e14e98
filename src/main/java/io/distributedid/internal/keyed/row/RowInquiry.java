package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.ServerBusyException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Asks servers for a record, for one thread at a time. A server was asked in vain only if it could not be reached, has
 * no table, failed on a new connection too, or was busy with other calls for twice its timeout.
 */
final class RowInquiry {

    private static final Logger LOG = System.getLogger(RowInquiry.class.getName());

    private final List<DedicatedConnection<RowSession>> servers;

    private final SilentServers silent;

    private final long longestWait;

    private final LongSupplier nanoTime;

    /**
     * @param servers one connection to each, in the order of the setting
     * @param answerTimeout of each
     */
    RowInquiry(
            List<DedicatedConnection<RowSession>> servers,
            SilentServers silent,
            Duration answerTimeout,
            LongSupplier nanoTime) {
        this.servers = servers;
        this.silent = silent;
        longestWait = answerTimeout.multipliedBy(2).toNanos();
        this.nanoTime = nanoTime;
    }

    /**
     * Returns the answer; false if the server was asked in vain, now or just before.
     *
     * @param question may refuse the record; that cuts the connection, which may lead to a wrong server
     * @throws IdConfigurationException of the question
     */
    boolean ask(int server, DedicatedConnection.Work<RowSession, Boolean> question) throws InterruptedException {
        DedicatedConnection<RowSession> connection = servers.get(server);
        if (silent.isSilent(connection)) {
            return false;
        }
        AtomicBoolean isOpen = new AtomicBoolean();
        try {
            boolean answer = read(connection, question, isOpen);
            silent.answered(connection);
            return answer;
        } catch (SQLException e) {
            inVain(connection, e);
        } catch (IdConfigurationException e) {
            if (isOpen.get()) {
                throw e;
            }
            inVain(connection, e);
        }
        return false;
    }

    private boolean read(
            DedicatedConnection<RowSession> connection,
            DedicatedConnection.Work<RowSession, Boolean> question,
            AtomicBoolean isOpen)
            throws SQLException, InterruptedException {
        long began = nanoTime.getAsLong();
        boolean isSecond = false;
        while (true) {
            isOpen.set(false);
            try {
                return connection.callUnlessBusy(session -> {
                    isOpen.set(true);
                    return question.in(session);
                });
            } catch (ServerBusyException e) {
                if (silent.isSilentSince(connection, began) || nanoTime.getAsLong() - began > longestWait) {
                    throw e;
                }
            } catch (SQLException e) {
                // A connection that was kept may be broken while the server is well.
                if (!isOpen.get() || isSecond) {
                    throw e;
                }
                isSecond = true;
            }
        }
    }

    private void inVain(DedicatedConnection<RowSession> connection, Exception why) {
        silent.silent(connection);
        LOG.log(Level.DEBUG, "A server has not told its record: " + connection.label(), why);
    }
}
