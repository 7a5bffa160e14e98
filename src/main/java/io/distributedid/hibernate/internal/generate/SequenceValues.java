package io.distributedid.hibernate.internal.generate;

/** A generator of ours for a property that is no id. */
public interface SequenceValues {}
