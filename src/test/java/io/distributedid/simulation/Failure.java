package io.distributedid.simulation;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;

/** What servers in memory throw: as drivers do, but without a stack, which would cost more than the request. */
final class Failure {

    private Failure() {}

    private static final class Light extends SQLException {

        private static final long serialVersionUID = 1L;

        Light(String message, String state) {
            super(message, state);
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }

    private static final class LightTimeout extends SQLTimeoutException {

        private static final long serialVersionUID = 1L;

        LightTimeout(String message) {
            super(message);
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }

    static SQLException refused(Object server) {
        return new Light("Connection refused: " + server, "08001");
    }

    static SQLException reset(Object server) {
        return new Light("Connection reset: " + server, "08S01");
    }

    static SQLException readOnly(Object server) {
        return new Light("The server is read-only: " + server, "25006");
    }

    static SQLException timeout(Object server) {
        return new LightTimeout("No answer in time: " + server);
    }
}
