package io.distributedid.matrix;

/** What a test knows of an entity that another class loader has loaded. */
public interface Numbered {

    /** Its number. */
    long number();
}
