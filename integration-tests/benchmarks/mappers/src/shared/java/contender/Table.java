package contender;

/** Where a mapper stores its rows. */
interface Table {

    /** How many rows there are. */
    long rows() throws Exception;

    /** Removes all rows, so that each turn finds the table as the first one did. */
    void empty() throws Exception;
}
