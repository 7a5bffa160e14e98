package io.distributedid.internal.keyed.served;

import io.distributedid.internal.lease.LeaseProtocol;
import java.time.Duration;

/**
 * How numbers come from memory.
 *
 * @param sections how many, recorded at the first use
 * @param lease how long this process gives numbers without an answer of the store
 * @param address names this process to others, up to 200 printable characters of ASCII
 * @param memory in bytes, for the keys of all sections
 */
public record SectionOptions(int sections, Duration lease, String address, long memory) {

    /** By how much a section's bound is raised; also the largest number of numbers for one call. */
    private static final int STEP = 10_000;

    SectionProtocol protocol() {
        return new SectionProtocol(new LeaseProtocol(LeaseProtocol.Rule.UNCHANGED, lease.toNanos()), STEP);
    }
}
