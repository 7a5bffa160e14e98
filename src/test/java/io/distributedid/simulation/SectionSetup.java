package io.distributedid.simulation;

/**
 * What a run with sections is like.
 *
 * @param sections how many
 * @param leaseMillis of each section
 * @param memory for keys, in bytes
 * @param troubleOneIn one request in so many goes wrong; 0 for none
 * @param switchOneIn how often a thread that could go on hands over: once in so many steps
 */
record SectionSetup(int sections, int leaseMillis, int memory, int troubleOneIn, int switchOneIn) {

    SectionSetup withoutTrouble() {
        return new SectionSetup(sections, leaseMillis, memory, 0, switchOneIn);
    }
}
