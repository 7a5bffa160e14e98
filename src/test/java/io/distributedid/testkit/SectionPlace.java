package io.distributedid.testkit;

import java.io.IOException;
import java.util.Map;

/** A store of sections, as processes reach it, and as an operator sees it. */
public interface SectionPlace {

    /** The settings of a process that uses the store. */
    Map<String, Object> settings();

    /** The owner of each section of the sequence messages; empty for one that was handed over. */
    Map<Integer, String> owners() throws Exception;

    /** Replaces the row of a section of the sequence messages. The new row has a token that no row had before. */
    void replace(int section, long max, String owner) throws Exception;

    /** Deletes all rows of the sequence messages. */
    void empty() throws Exception;

    /** A new way to a store, which can be cut. */
    Way way() throws Exception;

    /** A way to a store. */
    interface Way extends AutoCloseable {

        Map<String, Object> settings();

        void cut() throws Exception;

        /** Makes it whole again. */
        void mend() throws Exception;

        /** What the error of a call says while the way is cut. */
        String error();

        @Override
        void close() throws IOException;
    }
}
