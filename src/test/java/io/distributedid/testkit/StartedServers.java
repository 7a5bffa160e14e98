package io.distributedid.testkit;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;

/**
 * Closes the servers and proxies of this package that a test class starts, the last one first: those of
 * {@code @BeforeAll} after the last test, those of a test, of {@code @BeforeEach} or of a field after that test, when
 * its own {@code @AfterEach} has closed the clients. Nothing is closed that was not started. It also skips what
 * {@link Needs} a server that can't run here.
 *
 * <p>It knows them by the thread that runs the class, and the threads that this one starts. Other servers are closed if
 * {@link #add} names them.
 */
public final class StartedServers
        implements ExecutionCondition,
                BeforeAllCallback,
                TestInstancePreConstructCallback,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback {

    private static final Set<RealServer> KEPT = ConcurrentHashMap.newKeySet();

    /** Has a server closed with those that the test starts. */
    public static <T extends AutoCloseable> T add(T server) {
        return ServerScope.add(server);
    }

    /** Lets a server run for later classes, until the JVM ends. A class that leaves it down does not harm them. */
    public static <T extends AutoCloseable> T keep(T server) {
        if (server instanceof RealServer real) {
            KEPT.add(real);
        }
        ServerScope.current().ifPresent(scope -> scope.release(server));
        return server;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        UnaryOperator<String> environment =
                name -> context.getConfigurationParameter(name).orElseGet(() -> System.getenv(name));
        return context.getElement()
                .flatMap(element -> Optional.ofNullable(element.getAnnotation(Needs.class)))
                .flatMap(needs -> Need.skips(List.of(needs.value()), environment))
                .map(ConditionEvaluationResult::disabled)
                .orElse(ConditionEvaluationResult.enabled("Nothing is missing"));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        ServerScope.open();
    }

    @Override
    public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context) {
        ServerScope.current().ifPresent(ServerScope::beginTests);
    }

    /** Where all tests share an instance, it is there before {@code @BeforeAll}. */
    @Override
    public void beforeEach(ExtensionContext context) {
        ServerScope.current().ifPresent(ServerScope::beginTests);
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        Optional<ServerScope> scope = ServerScope.current();
        if (scope.isPresent()) {
            scope.get().closeOfTest();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        ServerScope.current().orElseThrow().closeAll();
        KEPT.forEach(RealServer::bringBack);
    }
}
