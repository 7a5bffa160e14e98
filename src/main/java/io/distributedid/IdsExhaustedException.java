package io.distributedid;

/** The sequence has no ids left: the next id exceeds its type, its column, or the time field of its layout. */
public class IdsExhaustedException extends DistributedIdException {

    private static final long serialVersionUID = 1L;

    /** @param message the limit that was reached, the value that exceeds it, and how to fix it */
    public IdsExhaustedException(String message) {
        super(message);
    }
}
