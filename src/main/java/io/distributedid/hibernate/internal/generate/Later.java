package io.distributedid.hibernate.internal.generate;

import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.internal.registry.WaitingCallers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Results for sessions on event loops, which must not wait. */
final class Later {

    private Later() {}

    /** The same result, for what must run on a thread of the caller if it is not there yet. */
    static <T> CompletionStage<T> on(Executor thread, CompletionStage<T> stage) {
        return stage.toCompletableFuture().isDone() ? stage : stage.whenCompleteAsync((result, failure) -> {}, thread);
    }

    /** Opens at once what the start has opened, which then needs no server; the rest on a thread that may wait. */
    static CompletionStage<PropertyIds> open(WaitingCallers waiting, UnitIds unit, Supplier<PropertyIds> opening) {
        if (unit.isOpenedAtStart()) {
            return CompletableFuture.completedFuture(opening.get());
        }
        AtomicReference<PropertyIds> open = new AtomicReference<>();
        return waiting.add(() -> {
                    open.set(opening.get());
                    return 0;
                })
                .thenApply(any -> open.get());
    }
}
