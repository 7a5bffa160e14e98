package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two applications in one JVM, each with a copy of the library, Hibernate and the driver of its own, as in a servlet
 * container.
 */
class ClassLoaderTest {

    @Test
    @Timeout(300)
    void applicationsDontTouchEachOther() throws Exception {
        Set<Thread> before = ourThreads();
        Deployed first = Deployed.start(1);
        Deployed second = Deployed.start(2);
        try {
            assertThat(first.persist()).isEqualTo(1);
            assertThat(first.persist()).isEqualTo(2);
            assertThat(second.persist()).isEqualTo(1);
            assertThat(first.application().getClass())
                    .isNotSameAs(second.application().getClass());

            first.stop();

            assertThat(second.persist()).isEqualTo(2);
            assertThat(second.persist()).isEqualTo(3);
        } finally {
            first.stop();
            second.stop();
        }
        for (Thread thread : ourThreads()) {
            if (!before.contains(thread)) {
                thread.join();
            }
        }
    }

    @Test
    @Timeout(300)
    void whatIsStoppedIsCollected() throws Exception {
        ReferenceQueue<ClassLoader> collected = new ReferenceQueue<>();
        WeakReference<ClassLoader> loader = startAndStop(collected);
        forgetComparedLast();
        while (collected.remove(100) == null) {
            System.gc();
        }
        assertThat(loader.get()).isNull();
    }

    private static WeakReference<ClassLoader> startAndStop(ReferenceQueue<ClassLoader> collected) throws Exception {
        Deployed application = Deployed.start(3);
        try {
            assertThat(application.persist()).isEqualTo(1);
        } finally {
            application.stop();
        }
        return new WeakReference<>(application.loader(), collected);
    }

    /** Java 17 holds on to the type of the record component whose hash code or equality it was asked for last. */
    private static void forgetComparedLast() {
        record Last(Thread component) {}
        Last last = new Last(Thread.currentThread());
        assertThat(last).isEqualTo(new Last(Thread.currentThread())).hasSameHashCodeAs(last);
    }

    private static Set<Thread> ourThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("distributedid"))
                .collect(Collectors.toSet());
    }

    /**
     * One of them.
     *
     * @param application an {@link IsolatedApplication} that is not of this class loader's class
     */
    private record Deployed(URLClassLoader loader, Object application) {

        static Deployed start(int number) throws Exception {
            String ours = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            URL[] classPath = Arrays.stream(ours.split(File.pathSeparator))
                    .map(Deployed::url)
                    .toArray(URL[]::new);
            URLClassLoader loader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader());
            return inside(
                    loader,
                    () -> new Deployed(
                            loader,
                            loader.loadClass("io.distributedid.it.IsolatedApplication")
                                    .getConstructor(Integer.class)
                                    .newInstance(number)));
        }

        private static URL url(String path) {
            try {
                return Path.of(path).toUri().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(path, e);
            }
        }

        long persist() throws Exception {
            return inside(loader, () -> ((LongSupplier) application).getAsLong());
        }

        void stop() throws Exception {
            inside(loader, () -> {
                ((AutoCloseable) application).close();
                return null;
            });
            loader.close();
        }

        private static <T> T inside(ClassLoader loader, Callable<T> action) throws Exception {
            Thread thread = Thread.currentThread();
            ClassLoader outside = thread.getContextClassLoader();
            thread.setContextClassLoader(loader);
            try {
                return action.call();
            } finally {
                thread.setContextClassLoader(outside);
            }
        }
    }
}
