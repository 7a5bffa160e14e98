package benchmarks.service;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The least that an answer can cost with Vert.x: a handler that sends the same bytes always, as many as the issuing
 * service sends for an id, on as many event loops.
 */
final class BareServer {

    private static final Buffer ANSWER = Buffer.buffer("{\"sequence\":\"photos\",\"ids\":[\"1000000\"]}");

    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");

    /** Negative: any, the same for all event loops. */
    private static final int ANY_PORT = -1;

    private BareServer() {}

    /** Says where it listens, and runs until it is killed. */
    public static void main(String[] args) {
        Queue<Integer> ports = new ConcurrentLinkedQueue<>();
        Vertx.vertx()
                .deployVerticle(
                        () -> new Listener(ports),
                        new DeploymentOptions()
                                .setInstances(Runtime.getRuntime().availableProcessors()))
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        System.out.println("The server listens at http://127.0.0.1:" + ports.element());
    }

    private static final class Listener extends AbstractVerticle {

        private final Queue<Integer> ports;

        Listener(Queue<Integer> ports) {
            this.ports = ports;
        }

        @Override
        public void start(Promise<Void> started) {
            HttpServer server = vertx.createHttpServer()
                    .requestHandler(request -> request.response()
                            .putHeader(HttpHeaders.CONTENT_TYPE, JSON)
                            .end(ANSWER));
            server.listen(ANY_PORT, "127.0.0.1")
                    .onSuccess(listening -> ports.add(listening.actualPort()))
                    .<Void>mapEmpty()
                    .onComplete(started);
        }
    }
}
