package io.distributedid.eclipse;

import jakarta.transaction.TransactionManager;
import org.eclipse.persistence.platform.server.ServerPlatformBase;
import org.eclipse.persistence.sessions.DatabaseSession;
import org.eclipse.persistence.transaction.JTATransactionController;

/** Tells EclipseLink of the transaction manager. */
public final class NarayanaPlatform extends ServerPlatformBase {

    /** For EclipseLink. */
    public NarayanaPlatform(DatabaseSession session) {
        super(session);
    }

    @Override
    public Class<Controller> getExternalTransactionControllerClass() {
        return Controller.class;
    }

    /** For EclipseLink. */
    public static final class Controller extends JTATransactionController {

        @Override
        protected TransactionManager acquireTransactionManager() {
            return com.arjuna.ats.jta.TransactionManager.transactionManager();
        }
    }
}
