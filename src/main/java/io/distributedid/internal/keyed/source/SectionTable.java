package io.distributedid.internal.keyed.source;

import java.util.List;
import java.util.Optional;

/**
 * The sections of a sequence, each with the process that gives its numbers. It may be out of date: the process that is
 * asked refuses a key that is not its own.
 *
 * @param version grows whenever this process finds another owner; versions of two processes are not comparable
 * @param member the address of this process; empty if it gives no numbers
 * @param owners the address of each section's owner, by section; empty for one without a live owner
 */
public record SectionTable(long version, String member, List<Optional<String>> owners) {

    public SectionTable {
        owners = List.copyOf(owners);
    }
}
