package io.distributedid.reactive;

import io.distributedid.IdUnavailableException;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** The event loop of a session, which is the calling one: Hibernate Reactive calls generators nowhere else. */
final class EventLoop {

    private EventLoop() {}

    /** Runs tasks in the context of the caller. */
    static Executor here() {
        Context context = Vertx.currentContext();
        return context == null ? Runnable::run : task -> context.runOnContext(now -> task.run());
    }

    /** The result of a call, whose exceptions are results too: Hibernate Reactive expects them there. */
    static CompletionStage<Object> stage(Supplier<CompletionStage<Object>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The result that is there; for calls of Hibernate that expect it at once, such as those for an HQL insert. */
    static Object now(String what, CompletionStage<Object> stage) {
        CompletableFuture<Object> result = stage.toCompletableFuture();
        if (!result.isDone()) {
            throw new IdUnavailableException("No id is in memory, and this statement can't wait for one on an event"
                    + " loop: " + what + ". Repeat it, or insert the row with persist()");
        }
        try {
            return result.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
