package io.distributedid.internal.zookeeper;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.OptionalLibrary;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The settings that name a place in ZooKeeper. Needs no library.
 *
 * @param user for the scheme {@code digest}
 */
public record ZooKeeperSettings(
        Setting<String> servers, Setting<String> path, Setting<String> user, Setting<String> password) {

    /** What may be written for servers. */
    public static final String HOSTS = "ZooKeeper's servers, host:port separated by commas";

    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._-]+)+");

    /**
     * The place that the settings name.
     *
     * @param why servers must be set
     */
    public ZooKeeperPlace read(Settings settings, String why) {
        String found = settings.require(servers, why);
        String node = settings.get(path);
        if (!PATH.matcher(node).matches()) {
            throw settings.invalid(path, node, path.allowed());
        }
        return new ZooKeeperPlace(
                found,
                node,
                settings.find(user)
                        .map(name -> name + ":"
                                + settings.find(password).map(String::strip).orElse("")));
    }

    /**
     * Makes a client of ZooKeeper.
     *
     * @param store the setting that is {@code zookeeper}
     * @throws IdConfigurationException if the library is missing
     */
    public static <T> T open(Setting<?> store, Supplier<T> client) {
        return OptionalLibrary.use(
                ZooKeeperSettings.class,
                store + "=zookeeper needs ZooKeeper's client",
                "org.apache.zookeeper:zookeeper",
                client);
    }
}
