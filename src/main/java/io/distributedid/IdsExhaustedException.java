package io.distributedid;

/** The sequence has no ids left: the next one would not fit its type, its column, or the time field of its layout. */
public class IdsExhaustedException extends DistributedIdException {

    private static final long serialVersionUID = 1L;

    /** @param message which bound was reached, by which value, and how to fix it */
    public IdsExhaustedException(String message) {
        super(message);
    }
}
