package io.distributedid.internal.lease;

import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.FileLedger;
import io.distributedid.internal.ledger.Ledger;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.ServerIdentity;
import io.distributedid.internal.ledger.SqlLedger;
import io.distributedid.internal.ledger.ZooKeeperLedger;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.zookeeper.ZooKeeperPlace;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.DatabaseProduct;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Leases in a ledger: of a database, of ZooKeeper, or in a file. Connects at the first call.
 *
 * @param <L> what is kept for each connection
 */
public class LedgerLeaseStore<L extends DedicatedConnection.Session> implements LeaseStore {

    private static final Duration FILE_TIMEOUT = Duration.ofSeconds(10);

    private final DedicatedConnection<L> connection;

    private final Function<L, Ledger> ledger;

    private final String label;

    private volatile String server = "";

    /**
     * @param ledger of a connection
     * @param timeout the limit of each call
     */
    protected LedgerLeaseStore(Link.Source<L> source, Function<L, Ledger> ledger, String label, Duration timeout) {
        connection = new DedicatedConnection<>(source, timeout, Platform.JVM);
        this.ledger = ledger;
        this.label = label;
    }

    /**
     * Leases in a database.
     *
     * @param table of the ledger, perhaps with its schema
     * @param creates whether a missing table is created
     * @param timeout the limit of each call
     */
    public static LeaseStore database(ConnectionAccess access, String table, boolean creates, Duration timeout) {
        return new LedgerLeaseStore<>(
                new JdbcLink.Source<>(access, each -> open(each, table, creates, access.label())),
                Identified::ledger,
                table + " on " + access.label(),
                timeout);
    }

    private static Identified open(Connection connection, String table, boolean creates, String label)
            throws SQLException {
        DatabaseProduct product = DatabaseProduct.of(connection);
        SqlLedger ledger = SqlLedger.open(connection, new LedgerSql(product, table), creates, label)
                .skippingLocked(2);
        return new Identified(ledger, ServerIdentity.of(connection, product, table));
    }

    /** The ledger of a server whose identity is known. */
    private record Identified(Ledger ledger, String server) implements DedicatedConnection.Session {}

    /**
     * Leases in ZooKeeper.
     *
     * @param creates whether a missing node is created
     * @param timeout the limit of each call
     */
    public static LeaseStore zooKeeper(ZooKeeperPlace place, boolean creates, Duration timeout) {
        return new LedgerLeaseStore<>(new ZooKeeperLedger.Source(place, creates), each -> each, place.label(), timeout);
    }

    /**
     * The lease of a worker number in a file of this machine.
     *
     * @param label the setting with the path
     */
    public static LeaseStore file(Path path, String label, InstantSource clock) {
        return new LedgerLeaseStore<>(new FileLedger.Source(path, label, clock), each -> each, label, FILE_TIMEOUT);
    }

    protected final <T> T call(DedicatedConnection.Work<L, T> work) throws SQLException, InterruptedException {
        return connection.call(work);
    }

    @Override
    public final Page read(Collection<String> names, boolean isSynchronised) throws SQLException, InterruptedException {
        return call(kept -> {
            server = kept instanceof Identified each ? each.server : "";
            return ledger.apply(kept).read(names, isSynchronised);
        });
    }

    @Override
    public final Set<String> write(List<Change> changes) throws SQLException, InterruptedException {
        return call(kept -> ledger.apply(kept).write(changes));
    }

    @Override
    public final String server() {
        return server;
    }

    @Override
    public final String label() {
        return label;
    }

    @Override
    public final void stop() {
        connection.stop();
    }

    @Override
    public final void cut() {
        connection.cut();
    }

    /** Ends without a word to the store. */
    public final void abandon() {
        connection.abandon();
    }

    @Override
    public final void close() {
        connection.close();
    }
}
