package io.distributedid.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Up to a thousand entities: class {@code Item007} with the table {@code item007} and the sequence {@code items007}.
 */
public final class Items {

    private static final ReentrantLock LOCK = new ReentrantLock();

    /** A class can be defined once. */
    private static final List<Class<?>> DEFINED = new ArrayList<>(List.of(Item000.class));

    private Items() {}

    public static List<Class<?>> classes(int count) {
        LOCK.lock();
        try (InputStream file = Item000.class.getResourceAsStream("Item000.class")) {
            String pattern = new String(file.readAllBytes(), StandardCharsets.ISO_8859_1);
            while (DEFINED.size() < count) {
                byte[] next = pattern.replace("000", number(DEFINED.size())).getBytes(StandardCharsets.ISO_8859_1);
                DEFINED.add(MethodHandles.lookup().defineClass(next));
            }
            return List.copyOf(DEFINED.subList(0, count));
        } catch (IOException | IllegalAccessException e) {
            throw new UncheckedIOException(new IOException(e));
        } finally {
            LOCK.unlock();
        }
    }

    public static String table(int number) {
        return "item" + number(number);
    }

    public static String sequence(int number) {
        return "items" + number(number);
    }

    private static String number(int number) {
        return String.format("%03d", number);
    }
}
