package io.distributedid.server;

import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The sender of a request, as its token tells.
 *
 * @param name of the token, for messages; empty for a caller without one
 * @param sequences that it may use; empty for all
 * @param rights what it may do with them
 * @param quota of ids; empty if there is none
 */
record Caller(String name, Optional<Set<String>> sequences, Set<Right> rights, Optional<Quota> quota) {

    Caller {
        sequences = sequences.map(Set::copyOf);
        rights = Set.copyOf(rights);
    }

    static Caller withoutToken(Set<Right> rights) {
        return new Caller("", Optional.empty(), rights, Optional.empty());
    }

    boolean mayUse(String sequence) {
        return sequences.isEmpty() || sequences.get().contains(sequence);
    }

    /** @throws Problem if it has none of these */
    void require(Set<Right> either) {
        if (Collections.disjoint(rights, either)) {
            throw forbidden("right=" + either.stream().sorted().map(Right::text).collect(Collectors.joining(" or ")));
        }
    }

    /** @throws Problem if it may not */
    void requireSequence(String sequence) {
        if (!mayUse(sequence)) {
            throw forbidden("seq=" + sequence);
        }
    }

    private Problem forbidden(String what) {
        String detail = name.isEmpty()
                ? "A caller without a token may not do this: " + what
                        + ". Configure tokens (distributedid.server.token.NAME.hash), and send one with this right"
                : "The token does not allow this: token=" + name + " " + what
                        + ". Use another token, or change the settings of this one";
        return new Problem(ProblemType.FORBIDDEN, detail);
    }
}
