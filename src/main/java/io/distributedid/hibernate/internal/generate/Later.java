package io.distributedid.hibernate.internal.generate;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Results for sessions on event loops, which must not wait. */
final class Later {

    private Later() {}

    /** The same result, for what must run on a thread of the caller if it is not there yet. */
    static <T> CompletionStage<T> on(Executor thread, CompletionStage<T> stage) {
        return stage.toCompletableFuture().isDone() ? stage : stage.whenCompleteAsync((result, failure) -> {}, thread);
    }
}
