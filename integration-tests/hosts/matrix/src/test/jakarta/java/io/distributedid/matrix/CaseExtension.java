package io.distributedid.matrix;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Runs a {@link Case} and writes down how it ended. */
final class CaseExtension implements InvocationInterceptor, BeforeEachCallback {

    @Override
    public void beforeEach(ExtensionContext context) {
        MemoryBackend.reset();
        Unit.forgetAll();
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> call, ExtensionContext context)
            throws Throwable {
        String name = call.getExecutable().getAnnotation(Case.class).value();
        String outcome;
        try {
            invocation.proceed();
            outcome = Outcomes.WORKS;
        } catch (NotOffered e) {
            return;
        } catch (Exception e) {
            Unit.requireNothingStored(e);
            outcome = Refusals.reason(e);
        }
        Outcomes.record(context.getRequiredTestClass(), name, outcome);
    }
}
