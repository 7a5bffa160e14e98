package io.distributedid.internal.keyed.served;

import io.distributedid.internal.keyed.row.SectionMark;
import io.distributedid.internal.lease.LeaseStore;
import java.sql.SQLException;

/** The ledger with the rows of sections, and the {@link SectionMark} beside it. Thread-safe. */
public interface SectionStore extends LeaseStore {

    /** Whether a sequence is marked as numbered from sections. Throws if its numbers are taken in another way. */
    boolean isMarked(String sequence) throws SQLException, InterruptedException;

    /** Marks a sequence unless it is marked. Throws if its numbers are taken in another way. */
    void mark(String sequence) throws SQLException, InterruptedException;

    /** Ends without a word to the store. */
    void abandon();
}
