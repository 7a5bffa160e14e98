package io.distributedid.server;

/** What the server opens at its start, or later if a store does not answer then. Thread-safe. */
interface Served {

    String name();

    boolean isOpen();

    /**
     * Opens it, unless it is open. May wait.
     *
     * @throws io.distributedid.IdConfigurationException if it is configured wrongly
     * @throws io.distributedid.IdUnavailableException if no server answers
     */
    void open();

    /** Whether nothing failed at last, as far as requests tell. */
    default boolean isWell() {
        return true;
    }

    /** Looks whether what failed is well again: perhaps no request comes that would tell. May wait. */
    default void lookAgain() {}
}
