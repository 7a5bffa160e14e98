package io.distributedid.spring;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.internal.settings.Secrets;
import io.distributedid.internal.settings.SettingNames;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Replaces the names of DataSource beans by the beans, in settings that name servers. A setting with a JDBC URL or a
 * JNDI name stays as it is. The bean that uses them is closed before them, so that it can still give ids and worker
 * numbers back.
 *
 * @param user the name of the bean that uses them
 */
record DataSourceBeans(ConfigurableListableBeanFactory beans, String user) {

    private static final Pattern SEPARATOR = Pattern.compile("\\s*,\\s*");

    /** Of a URL or a JNDI name. The parser of servers reads those, and reports the wrong ones. */
    private static final Pattern ADDRESS = Pattern.compile("[:/]");

    private static final String FOR_TESTS = "memory";

    /** @param isRequired whether its beans must be there */
    private record Use(Setting<?> setting, boolean isRequired) {}

    /**
     * Returns a copy of settings with beans in place of their names. Fails if a bean is missing. Servers that no
     * sequence uses stay names: a test with another backend need not have their beans.
     */
    Map<String, Object> in(Map<String, Object> settings) {
        Map<String, Use> used = usedServers(Settings.of(settings));
        Map<String, Object> all = new LinkedHashMap<>(settings);
        all.replaceAll((name, value) -> {
            Use use = used.get(SettingNames.general(name));
            return use == null ? value : servers(name, use, value);
        });
        return all;
    }

    /**
     * The settings with servers that any sequence reads, by their general names. Every sequence may have numbers per
     * key beside its ids, but a test with the backend for tests may do without them.
     */
    private static Map<String, Use> usedServers(Settings settings) {
        InstalledBackends installed = InstalledBackends.installed();
        Map<String, Use> used = new HashMap<>();
        settings.views().forEach(view -> {
            installed.declarations(view).stream()
                    .filter(each -> each.kind() == Setting.Kind.SERVERS)
                    .forEach(each -> used.put(each.name(), new Use(each, true)));
            boolean isTest =
                    view.find(CoreSettings.BACKEND).filter(FOR_TESTS::equals).isPresent();
            InstalledBackends.keyedServers(view)
                    .ifPresent(each -> used.merge(
                            each.name(),
                            new Use(each, !isTest),
                            (one, other) -> new Use(each, one.isRequired || other.isRequired)));
        });
        return used;
    }

    private Object servers(String name, Use use, Object value) {
        if (value instanceof CharSequence text) {
            List<String> parts = Arrays.asList(SEPARATOR.split(text.toString().strip()));
            boolean areBeans = parts.stream()
                    .allMatch(part -> isBeanName(use.setting, part) && (use.isRequired || isDataSource(part)));
            return areBeans ? parts.stream().map(part -> bean(name, part)).toList() : value;
        }
        if (value instanceof Collection<?> elements) {
            List<Object> servers = new ArrayList<>();
            elements.forEach(element -> servers.add(servers(name, use, element)));
            return servers;
        }
        return value;
    }

    /** Words of the setting, such as {@code application}, are none. */
    private static boolean isBeanName(Setting<?> setting, String text) {
        return !text.isEmpty()
                && !setting.words().contains(text)
                && !ADDRESS.matcher(text).find();
    }

    private boolean isDataSource(String name) {
        return beans.containsBean(name) && beans.isTypeMatch(name, DataSource.class);
    }

    private ConnectionAccess bean(String setting, String name) {
        if (!isDataSource(name)) {
            Set<String> known = new TreeSet<>(Arrays.asList(beans.getBeanNamesForType(DataSource.class, true, false)));
            throw new IdConfigurationException("A setting names a bean that is not a DataSource: " + setting + "="
                    + Secrets.anonymous(name) + ", allowed: the beans " + known
                    + ", JDBC URLs (jdbc:...) or JNDI names (java:...). Tests need no server with"
                    + " distributedid.backend=" + FOR_TESTS);
        }
        beans.registerDependentBean(name, user);
        return new BeanConnections(beans.getBean(name, DataSource.class), name);
    }
}
