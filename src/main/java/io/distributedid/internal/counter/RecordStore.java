package io.distributedid.internal.counter;

import java.sql.SQLException;
import java.util.Optional;

/**
 * What a server keeps beside its counters: claims of tables, records of counters, and how far the servers had come.
 * Changes run within {@link StoredCounter#inTransaction}. For one thread at a time.
 */
public interface RecordStore {

    /** Its name on the server. */
    String table();

    /** The key of the claim of the counters' table. */
    String claimKey();

    /** The key of a counter's record. {@code counter} is spelt as on the server. */
    String key(String counter);

    /** Reads the claim, and all that is known of a counter. */
    RecordRows read(String key) throws SQLException;

    /**
     * Keeps the claim from changes by others until the transaction has ended, or makes the transaction start again if
     * there are any. Returns it as it is under the lock: {@link #read} may read a snapshot from before the lock.
     *
     * @param exclusive whether to keep others from locking it, too
     */
    Optional<NumberingRecord> lockClaim(boolean exclusive) throws SQLException;

    /** As {@link #lockClaim}, for the record of a counter. The lock is exclusive. */
    Optional<CounterRecord> lockCounter(String key) throws SQLException;

    /** Raises the generation of all counters of the table. Clients that know the old ones can draw no more. */
    void fence() throws SQLException;

    /** Inserts or replaces the claim. */
    void putClaim(NumberingRecord claim) throws SQLException;

    /** Inserts the claim. Fails with a duplicate key if there is one. */
    void insertClaim(NumberingRecord claim) throws SQLException;

    void updateClaim(NumberingRecord claim) throws SQLException;

    /** Inserts or replaces the record of a counter. Never lowers its floor, which may have been raised since a look. */
    void putCounter(String key, CounterRecord counter) throws SQLException;

    /** Inserts the record of a counter. Fails with a duplicate key if there is one. */
    void insertCounter(String key, CounterRecord counter) throws SQLException;

    /** As {@link #putCounter}, if there is one. */
    void updateCounter(String key, CounterRecord counter) throws SQLException;

    /** Inserts or replaces what is known of the server with this offset. */
    void putWitness(String key, long offset, Witness witness) throws SQLException;

    /** Removes the permission to create the counter on a server, if it is still there. */
    void created(String key, long offset, Witness witness) throws SQLException;

    /** Writes how far servers have come. */
    void write(WitnessNote note) throws SQLException;
}
