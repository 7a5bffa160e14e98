package io.distributedid.internal.counter;

import io.distributedid.internal.ledger.Version;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The row of the ledger that describes a table of counters on one server. It is changed by compare-and-set on its
 * version.
 *
 * @param version of its last change
 * @param state whether ids may be drawn from the table
 * @param token random, one on all servers of a list: another one is another id space
 * @param numbering the server's part of the numbers
 * @param members the identities of all servers of the list, in its order
 * @param era of the last realignment; equal on all servers of the list
 * @param command the id of the operator's command that closed it last; empty if none has
 * @param target the list that it may be opened for, see {@link RealignCommand#place}; empty if any
 * @param next the token of the target; empty if there is none
 */
public record Header(
        Version version,
        State state,
        String token,
        Numbering numbering,
        List<String> members,
        long era,
        String command,
        String target,
        String next) {

    /** Whether ids may be drawn. */
    public enum State {
        /** Created by a first use, and not opened yet. */
        NEW,
        OPEN,
        /** Created by a move for its target, and not opened yet. */
        MADE,
        /** By an operator's command, which did not open it yet. */
        CLOSED,
        /** The table has ended: the ids come from the target. */
        MOVED
    }

    public Header {
        members = List.copyOf(members);
    }

    /** The identities of a list; where they are unknown, those that are known otherwise. */
    static List<String> known(List<String> members, List<String> otherwise) {
        return members.size() != otherwise.size()
                ? members
                : IntStream.range(0, members.size())
                        .mapToObj(i -> members.get(i).isEmpty() ? otherwise.get(i) : members.get(i))
                        .toList();
    }

    Header naming(List<String> others, String random) {
        return new Header(version.next(random), state, token, numbering, others, era, command, target, next);
    }

    /** In another state. An open one has no target. */
    Header in(State changed, String random) {
        boolean isOpen = changed == State.OPEN;
        return new Header(
                version.next(random),
                changed,
                token,
                numbering,
                members,
                era,
                command,
                isOpen ? "" : target,
                isOpen ? "" : next);
    }
}
