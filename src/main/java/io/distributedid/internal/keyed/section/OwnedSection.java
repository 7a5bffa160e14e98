package io.distributedid.internal.keyed.section;

import io.distributedid.internal.tenure.Term;

/**
 * What a call reads of a section that this process owns. Immutable, apart from the counters of its keys.
 *
 * @param term the newest term, whose lease may be over; its bound is {@code max}
 * @param keys begin at the base of the tenure, or at a {@code max} that this tenure had before
 */
record OwnedSection(Term term, Keys keys) {

    /** With another term of the same tenure. */
    OwnedSection renewed(Term next) {
        return new OwnedSection(next, keys);
    }

    /** With another term of the same tenure, and without the keys. Numbers go on above the present {@code max}. */
    OwnedSection withoutKeys(Term next) {
        return new OwnedSection(next, new Keys(term.bound(), keys.memory()));
    }

    boolean isOfTenure(Term other) {
        return term.from() == other.from();
    }
}
