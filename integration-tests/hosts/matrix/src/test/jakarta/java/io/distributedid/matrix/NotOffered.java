package io.distributedid.matrix;

/** Ends a case that the provider has no API for. The table then has an empty cell. */
final class NotOffered extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotOffered(String what) {
        super(what);
    }
}
