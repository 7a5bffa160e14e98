package io.distributedid.internal.keyed.served;

import io.distributedid.internal.keyed.source.KeyHash;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which process is to own which section, as pure functions of what is live. Processes that know of different members
 * disagree for a while. That costs moves, and no promise: a section is owned by its row alone.
 *
 * <p><b>Stable.</b> Each section has an order of its own of all members, by a hash, and the first one that lives is to
 * own it. So when a member goes, only its sections move. When one comes, sections move to it alone, about an equal part
 * from each. Members own about the same number of sections: with hundreds of them, within a tenth or two.
 *
 * <p><b>Moves.</b> A member hands over one section at a time ({@link #handOver}): the next one only after the one
 * before has an owner again. A member claims the sections that are to be its own and have no live owner
 * ({@link #mayClaim}).
 */
public final class SectionSpread {

    private SectionSpread() {}

    /**
     * The member that is to own a section.
     *
     * @param section from 0 up
     * @param members names of live processes, one at least
     */
    public static String owner(int section, Set<String> members) {
        if (members.isEmpty()) {
            throw new IllegalArgumentException("A section needs a live member to own it: section=" + section);
        }
        String first = null;
        long best = 0;
        for (String member : members) {
            long rank = KeyHash.mixed(KeyHash.text(member) + KeyHash.mixed(section));
            // Two members with one hash are told apart by name, so that all processes decide alike.
            if (first == null || rank > best || (rank == best && member.compareTo(first) < 0)) {
                first = member;
                best = rank;
            }
        }
        return Objects.requireNonNull(first);
    }

    /**
     * The section that a member is to hand over now.
     *
     * @param owners by section; null for one without a live owner
     * @param before the section that the member handed over last, or empty
     * @return the lowest section that it owns and another one is to own; empty if the last move is under way
     */
    public static OptionalInt handOver(
            String member, List<@Nullable String> owners, Set<String> members, OptionalInt before) {
        if (before.isPresent() && owners.get(before.getAsInt()) == null) {
            return OptionalInt.empty();
        }
        for (int section = 0; section < owners.size(); section++) {
            if (member.equals(owners.get(section)) && !member.equals(owner(section, members))) {
                return OptionalInt.of(section);
            }
        }
        return OptionalInt.empty();
    }

    /**
     * Whether a member is to claim a section.
     *
     * @param owner of the section; null if it was handed over, was never owned, or its owner is not live
     */
    public static boolean mayClaim(String member, int section, @Nullable String owner, Set<String> members) {
        return owner == null && member.equals(owner(section, members));
    }
}
