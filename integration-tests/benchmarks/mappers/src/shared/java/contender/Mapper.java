package contender;

/** A mapper that stores rows of the table in {@link Memory}, with ids of one {@link Side}. */
interface Mapper {

    /** Rows of a batch. */
    int BATCH = 50;

    String TITLE = "sunset";

    /** How many rows it inserts in a turn, which should take a second or so. */
    default int turn() {
        return 50_000;
    }

    /** Inserts rows in one transaction, in batches of {@value #BATCH} where the mapper has batches. */
    void insert(int rows) throws Exception;
}
