package io.distributedid.spi;

import java.time.Duration;

/**
 * A block and how old it is.
 *
 * @param block reserved ids that belong to the caller
 * @param age since their reservation
 */
public record ReservedBlock(Block block, Duration age) {}
