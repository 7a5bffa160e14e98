package io.distributedid.spring;

import io.distributedid.internal.settings.SettingNames;
import io.distributedid.spi.ConnectionAccess;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Finds the DataSource bean of the application's own database, which remembers where ids come from. A bean that is a
 * server is left out: one that gives ids cannot tell that another server has taken its place. If it is the only bean,
 * it still notices another table or schema there; a warning says what nothing notices.
 */
final class ApplicationDatabase {

    private static final Logger LOG = System.getLogger(ApplicationDatabase.class.getName());

    private static final String OF_KEYS = "distributedid.keyed.";

    private ApplicationDatabase() {}

    /**
     * Empty if there is none, or several without a primary one.
     *
     * @param settings as {@link DataSourceBeans#in} returns them
     */
    static Optional<ConnectionAccess> find(Map<String, Object> settings, ObjectProvider<DataSource> all) {
        List<DataSource> others =
                all.stream().filter(each -> !isServer(each, settings.values())).toList();
        DataSource found = others.size() == 1 ? others.get(0) : all.getIfUnique();
        if (found == null) {
            return Optional.empty();
        }
        settings.forEach((name, servers) -> {
            if (isServer(found, List.of(servers)) && !SettingNames.general(name).startsWith(OF_KEYS)) {
                warn(name, servers);
            }
        });
        return Optional.of(new BeanConnections(found, "the application's DataSource"));
    }

    /** Whether the DataSource is among these values of settings. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isServer(DataSource dataSource, Collection<?> values) {
        return values.stream()
                .anyMatch(value -> value instanceof Collection<?> elements
                        ? isServer(dataSource, elements)
                        : value instanceof BeanConnections bean && bean.dataSource() == dataSource);
    }

    private static void warn(String setting, Object servers) {
        LOG.log(
                Level.WARNING,
                "The only or primary DataSource bean is a server of ids, and stores itself where they come from: "
                        + setting + "=" + text(servers)
                        + ". If another server takes its place, nothing notices, and both give the same ids. Let the"
                        + " database that stores these ids be a DataSource bean, too. Or compare ids.token(SEQ) with"
                        + " its former value");
    }

    private static String text(Object servers) {
        return servers instanceof Collection<?> elements
                ? String.join(", ", elements.stream().map(String::valueOf).toList())
                : String.valueOf(servers);
    }
}
