package io.distributedid.maelstrom;

/** Those of Maelstrom's error codes that are used here. All but {@link #TIMEOUT} say that nothing was done. */
public final class Errors {

    public static final int TIMEOUT = 0;

    public static final int NOT_SUPPORTED = 10;

    public static final int TEMPORARILY_UNAVAILABLE = 11;

    public static final int MALFORMED_REQUEST = 12;

    public static final int KEY_DOES_NOT_EXIST = 20;

    public static final int PRECONDITION_FAILED = 22;

    private Errors() {}
}
