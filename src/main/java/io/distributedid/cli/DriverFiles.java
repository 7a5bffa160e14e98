package io.distributedid.cli;

import io.distributedid.IdConfigurationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * JDBC drivers from jars that are not on the class path. DriverManager gives no driver to callers that can't see its class, so each
 * is registered in the shape of a {@link VisibleDriver}.
 */
final class DriverFiles implements AutoCloseable {

    private final List<Driver> registered = new ArrayList<>();

    private DriverFiles() {}

    /**
     * Loads the drivers.
     *
     * @param paths jars, or folders with jars
     * @throws IdConfigurationException if a path has none
     */
    static DriverFiles load(List<Path> paths) {
        DriverFiles loaded = new DriverFiles();
        if (paths.isEmpty()) {
            return loaded;
        }
        List<Path> jars = paths.stream().flatMap(DriverFiles::jars).toList();
        // Lives as long as the JVM does: a driver may load classes at any time, also while it is closed.
        URLClassLoader loader = new URLClassLoader(
                jars.stream().map(DriverFiles::url).toArray(URL[]::new), DriverFiles.class.getClassLoader());
        for (Driver driver : ServiceLoader.load(Driver.class, loader)) {
            if (loader.equals(driver.getClass().getClassLoader())) {
                loaded.register(new VisibleDriver(driver));
            }
        }
        if (loaded.registered.isEmpty()) {
            throw new IdConfigurationException("There is no JDBC driver in these jars: --drivers=" + jars);
        }
        return loaded;
    }

    private static Stream<Path> jars(Path path) {
        if (Files.isRegularFile(path)) {
            return Stream.of(path);
        }
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList().stream();
        } catch (IOException e) {
            throw new IdConfigurationException(
                    "There are no jars: --drivers=" + path + ", allowed: a jar, or a folder with jars", e);
        }
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void register(Driver driver) {
        try {
            DriverManager.registerDriver(driver);
            registered.add(driver);
        } catch (SQLException e) {
            throw new IllegalStateException("A driver can't be registered: " + driver, e);
        }
    }

    @Override
    public void close() {
        for (Driver driver : registered) {
            try {
                DriverManager.deregisterDriver(driver);
            } catch (SQLException e) {
                throw new IllegalStateException("A driver can't be taken back: " + driver, e);
            }
        }
    }
}
