package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.LoggedWarnings;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Fixed numbers in one JVM. */
class FixedNumberTest {

    private static final Map<String, String> NUMBER_61 =
            Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "61");

    @Test
    void anotherClassLoaderIsRefusedUntilTheNumberIsGivenBackAndBeginsAboveIt() throws Exception {
        try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            Class<?> copy = loader.loadClass(DistributedIds.class.getName());
            Object others = create(copy);
            long last;
            try (DistributedIds ids = DistributedIds.create(NUMBER_61)) {
                last = ids.next("photos");
                assertThatThrownBy(() -> next(others))
                        .hasMessage("Two generators in one process must not have the same worker number:"
                                + " distributedid.snowflake.worker=61. Give each persistence unit its own number"
                                + "; in tests, where several contexts stay open, set distributedid.backend=memory");
            }

            assertThat(next(others)).isGreaterThan(last);
            ((AutoCloseable) others).close();
        }
    }

    /** Creates the ids as an application with its own class loader would. */
    private static Object create(Class<?> copy) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader own = thread.getContextClassLoader();
        thread.setContextClassLoader(copy.getClassLoader());
        try {
            return copy.getMethod("create", Map.class).invoke(null, NUMBER_61);
        } finally {
            thread.setContextClassLoader(own);
        }
    }

    private static long next(Object ids) throws Exception {
        try {
            return (long) ids.getClass().getMethod("next", String.class).invoke(ids, "photos");
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e);
        }
    }

    private static URL[] classPath() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.of(path.split(File.pathSeparator))
                .map(each -> Path.of(each).toUri())
                .map(FixedNumberTest::url)
                .toArray(URL[]::new);
    }

    private static URL url(URI uri) {
        try {
            return uri.toURL();
        } catch (java.net.MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Test
    void aNumberThatNothingRemembersIsWarnedOfOnce() {
        Map<String, String> settings =
                Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "62");
        try (LoggedWarnings warnings = LoggedWarnings.of(WorkerRegistry.class)) {
            for (int i = 0; i < 2; i++) {
                try (DistributedIds ids = DistributedIds.create(settings)) {
                    ids.next("photos");
                    ids.next("orders");
                }
            }

            assertThat(warnings.messages())
                    .containsExactly(
                            "Nothing remembers until when distributedid.snowflake.worker=62 was used. Its ids are"
                                    + " unique only if no other process has this number, and if no process starts with"
                                    + " a clock behind that of the previous process: set back, or of another machine."
                                    + " Set distributedid.snowflake.state_file to a file that outlives the process, or"
                                    + " distributedid.snowflake.worker=lease");
        }
    }
}
