package io.distributedid.spring;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.settings.Secrets;
import io.distributedid.internal.settings.SettingNames;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/**
 * Finds the DataSource beans of the application's own databases.
 *
 * <p>The only or primary bean is the application's database: it holds counters, rows and leases without a server. No
 * setting changes which bean that is, since they would begin again in another one. It also remembers where ids come
 * from.
 *
 * <p>But a server of ids cannot tell that another server has taken its place. So if that bean is one, the one bean
 * beside the servers of ids remembers the places, too. If there is none, the primary one still notices another table or
 * schema there; a warning says what nothing notices.
 *
 * <p>If no bean is primary, none is guessed: settings of other sequences would decide which one remembers. Then a start
 * is refused if a setting names one of these beans as a server of ids, but not all.
 *
 * @param settings as {@link DataSourceBeans#in} returns them
 */
record ApplicationDatabase(
        ConfigurableListableBeanFactory beans, Map<String, Object> settings, ObjectProvider<DataSource> all) {

    private static final Logger LOG = System.getLogger(ApplicationDatabase.class.getName());

    private static final String OF_KEYS = "distributedid.keyed.";

    /** Gives them to a builder. Creates no other bean. */
    void addTo(DistributedIds.Builder builder) {
        DataSource own = all.getIfUnique();
        if (own == null) {
            requireNoChoice();
            return;
        }
        builder.applicationDatabase(new BeanConnections(own, "the application's DataSource"));
        List<String> served = settingsThatName(own);
        if (served.isEmpty()) {
            return;
        }
        List<String> others = besideServers();
        if (others.size() == 1) {
            String name = others.get(0);
            builder.alsoRememberedIn(
                    new BeanConnections(beans.getBean(name, DataSource.class), "the DataSource " + name));
        } else {
            served.forEach(this::warn);
        }
    }

    /** For each setting alone: what another sequence uses makes no difference. */
    private void requireNoChoice() {
        settingsOfServers().forEach(setting -> {
            Set<String> named = namedIn(Stream.of(setting));
            List<String> candidates = candidates().toList();
            List<String> others =
                    candidates.stream().filter(name -> !isNamed(name, named)).toList();
            if (others.size() < candidates.size() && !others.isEmpty()) {
                throw new IdConfigurationException(
                        "Several DataSource beans are injected by type, and none is primary: " + setting + "="
                                + text(settings.get(setting)) + ", others " + others
                                + ". The bean of the application's own database must remember where ids come from."
                                + " Otherwise, nothing notices another server that issues the same ids. Mark that bean"
                                + " @Primary, or name the servers of ids by JDBC URLs: all, if none of these beans is"
                                + " the application's own");
            }
        });
    }

    /** As a server of ids. */
    @SuppressWarnings("ReferenceEquality")
    private List<String> settingsThatName(DataSource dataSource) {
        return settingsOfServers()
                .filter(name -> servers(settings.get(name)).anyMatch(each -> each.dataSource() == dataSource))
                .toList();
    }

    /** Those of ids. Numbers per key have no place that is remembered. */
    private Stream<String> settingsOfServers() {
        return settings.keySet().stream()
                .filter(name -> !SettingNames.general(name).startsWith(OF_KEYS));
    }

    private static Stream<BeanConnections> servers(@Nullable Object value) {
        if (value instanceof Collection<?> elements) {
            return elements.stream().flatMap(ApplicationDatabase::servers);
        }
        return value instanceof BeanConnections bean ? Stream.of(bean) : Stream.empty();
    }

    /** The beans that are injected by type and are no servers of ids. */
    private List<String> besideServers() {
        Set<String> servers = namedIn(settingsOfServers());
        return candidates().filter(name -> !isNamed(name, servers)).toList();
    }

    private Set<String> namedIn(Stream<String> names) {
        return names.flatMap(name -> servers(settings.get(name)))
                .map(BeanConnections::label)
                .collect(Collectors.toSet());
    }

    private boolean isNamed(String bean, Set<String> names) {
        return names.contains(bean) || Arrays.stream(beans.getAliases(bean)).anyMatch(names::contains);
    }

    /** The beans that are injected by type. */
    private Stream<String> candidates() {
        return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false))
                .filter(name -> isCandidate(beans, name));
    }

    private static boolean isCandidate(@Nullable BeanFactory factory, String name) {
        if (!(factory instanceof ConfigurableListableBeanFactory own)) {
            return true;
        }
        if (!own.containsLocalBean(name)) {
            return isCandidate(own.getParentBeanFactory(), name);
        }
        if (!own.containsBeanDefinition(name)) {
            return true;
        }
        BeanDefinition definition = own.getMergedBeanDefinition(name);
        return definition.isAutowireCandidate()
                && (!(definition instanceof AbstractBeanDefinition bean) || bean.isDefaultCandidate());
    }

    private void warn(String setting) {
        LOG.log(
                Level.WARNING,
                "The only or primary DataSource bean is a server of ids, and itself remembers where they come from: "
                        + setting + "=" + text(settings.get(setting))
                        + ". If another server takes its place, nothing notices, and both issue the same ids. Make the"
                        + " database that stores these ids a DataSource bean, too. Or compare ids.admin().token(SEQ)"
                        + " with its former value");
    }

    private static String text(@Nullable Object servers) {
        return servers instanceof Collection<?> elements
                ? elements.stream().map(ApplicationDatabase::text).collect(Collectors.joining(", "))
                : Secrets.anonymous(String.valueOf(servers));
    }
}
