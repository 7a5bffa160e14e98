package io.distributedid.server;

import io.distributedid.IdHealth.SequenceHealth;

/** What the server opens at its start, or later if a store does not answer then. Thread-safe. */
interface Served {

    /** The reason of what was not opened, and did not fail to open either. */
    String NOT_OPEN = "it is not open yet";

    String name();

    /** Whether it is open, and nothing failed at last, as far as requests tell. */
    boolean isWell();

    /** Read from memory. {@code DOWN} until it is open. */
    SequenceHealth health();

    /**
     * Opens it, or looks whether what failed is well again: perhaps no request comes that would tell. May wait.
     *
     * @throws io.distributedid.IdConfigurationException if it is configured wrongly
     * @throws io.distributedid.IdUnavailableException if no server answers
     */
    void look();
}
