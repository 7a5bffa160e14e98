package io.distributedid.internal.keyed.section;

import io.distributedid.internal.tenure.Term;

/**
 * What a call reads of a section that this process owns. Immutable, apart from the counters of its keys.
 *
 * @param term the newest term, whose lease may be over
 * @param max the term's bound; this and {@code end} are here for fewer reads of memory
 * @param end the term's end
 * @param warning numbers above this one have {@code max} raised
 * @param keys begin at the base of the tenure, or at a {@code max} that this tenure had before
 */
record OwnedSection(Term term, long max, long end, long warning, Keys keys) {

    private static OwnedSection of(SectionProtocol protocol, Term term, Keys keys) {
        return new OwnedSection(term, term.bound(), term.end(), protocol.warning(term), keys);
    }

    /** The first term of a tenure. */
    static OwnedSection begun(SectionProtocol protocol, Term term, KeyMemory memory) {
        return of(protocol, term, new Keys(term.from(), memory));
    }

    /** With another term of the same tenure. */
    OwnedSection renewed(SectionProtocol protocol, Term next) {
        return of(protocol, next, keys);
    }

    /** With another term of the same tenure, and without the keys. Numbers go on above the present {@code max}. */
    OwnedSection withoutKeys(SectionProtocol protocol, Term next) {
        return of(protocol, next, new Keys(max, keys.memory()));
    }

    /** As {@link Term#isValid}. */
    boolean isValid(long now) {
        return now - end < 0;
    }

    boolean isOfTenure(Term other) {
        return term.from() == other.from();
    }
}
