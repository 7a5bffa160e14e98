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
 * Asks servers for a record, for one thread at a time. A server was asked in vain only if it could not be reached, or
 * failed on a new connection too. One that is busy with another call is waited for.
 */
final class RowInquiry {

    private static final Logger LOG = System.getLogger(RowInquiry.class.getName());

    enum Answer {
        /** The server has told a record that belongs to the known ones. */
        BELONGS,
        /** The server has no table or no record. */
        NO_RECORD,
        /** The server was asked in vain. */
        SILENCE
    }

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
     * @param question may refuse the record; that cuts the connection, which may lead to a wrong server
     * @throws IdConfigurationException of the question
     */
    Answer ask(int server, DedicatedConnection.Work<RowSession, Answer> question) throws InterruptedException {
        if (silent.state(server) == SilentServers.State.SILENT) {
            return Answer.SILENCE;
        }
        silent.asking(server);
        try {
            Answer answer = read(server, question);
            silent.answered(server);
            return answer;
        } catch (SQLException e) {
            silent.silent(server);
            report(server, e);
            return Answer.SILENCE;
        } finally {
            silent.asked(server);
        }
    }

    private Answer read(int server, DedicatedConnection.Work<RowSession, Answer> question)
            throws SQLException, InterruptedException {
        long began = nanoTime.getAsLong();
        AtomicBoolean isOpen = new AtomicBoolean();
        boolean isSecond = false;
        while (true) {
            isOpen.set(false);
            try {
                return servers.get(server).callUnlessBusy(session -> {
                    isOpen.set(true);
                    return question.in(session);
                });
            } catch (ServerBusyException e) {
                if (silent.isSilentSince(server, began) || nanoTime.getAsLong() - began > longestWait) {
                    throw e;
                }
            } catch (SQLException e) {
                // A connection that was kept may be broken while the server is well.
                if (!isOpen.get() || isSecond) {
                    throw e;
                }
                isSecond = true;
            } catch (IdConfigurationException e) {
                if (isOpen.get()) {
                    throw e;
                }
                report(server, e);
                return Answer.NO_RECORD;
            }
        }
    }

    private void report(int server, Exception why) {
        LOG.log(
                Level.DEBUG,
                "A server has not told its record: " + servers.get(server).label(),
                why);
    }
}
