package io.distributedid.internal.keyed.source;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * A call that waits without a thread. The one who made it must end it when its time is over.
 *
 * @param last the last of the numbers that were taken, or of the key. Completed on a thread that must not wait; empty
 *     if the call must be repeated on a thread that may wait
 * @param end ends the wait with an error that says why there is no number yet. Does nothing after the answer
 */
public record PendingNumber(CompletableFuture<OptionalLong> last, Runnable end) {}
