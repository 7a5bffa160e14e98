package io.distributedid.spring;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.internal.settings.SettingNames;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

    private static final Pattern NO_BEAN = Pattern.compile("(jdbc[:/]|java:).*", Pattern.DOTALL);

    /** A value that means the application's own database, and not a bean. */
    private static final String APPLICATION = "application";

    /**
     * Returns a copy of settings with beans in place of their names. Fails if a bean is missing. Servers that no
     * sequence uses stay names: a test with another backend need not have their beans.
     */
    Map<String, Object> in(Map<String, Object> settings) {
        Set<String> used = usedServers(Settings.of(settings));
        Map<String, Object> all = new LinkedHashMap<>(settings);
        all.replaceAll((name, value) -> used.contains(SettingNames.general(name)) ? servers(name, value) : value);
        return all;
    }

    /** The settings with servers that the backend of any sequence reads. */
    private static Set<String> usedServers(Settings settings) {
        InstalledBackends installed = InstalledBackends.installed();
        return settings.views()
                .flatMap(view -> installed.declarations(view).stream())
                .filter(each -> each.kind() == Setting.Kind.SERVERS)
                .map(Setting::name)
                .collect(Collectors.toSet());
    }

    private Object servers(String name, Object value) {
        if (value instanceof CharSequence text) {
            List<String> parts = Arrays.asList(SEPARATOR.split(text.toString().strip()));
            boolean beanNames = parts.stream().allMatch(DataSourceBeans::isBeanName);
            return beanNames ? parts.stream().map(part -> bean(name, part)).toList() : value;
        }
        if (value instanceof Collection<?> elements) {
            List<Object> servers = new ArrayList<>();
            elements.forEach(element -> servers.add(servers(name, element)));
            return servers;
        }
        return value;
    }

    private static boolean isBeanName(String text) {
        return !text.isEmpty()
                && !text.equals(APPLICATION)
                && !NO_BEAN.matcher(text).matches();
    }

    private ConnectionAccess bean(String setting, String name) {
        Set<String> known = new TreeSet<>(Arrays.asList(beans.getBeanNamesForType(DataSource.class, true, false)));
        if (!beans.containsBean(name) || !beans.isTypeMatch(name, DataSource.class)) {
            throw new IdConfigurationException("A setting names a bean that is no DataSource: " + setting + "=" + name
                    + ", allowed: the beans " + known + ", JDBC URLs (jdbc:...) or JNDI names (java:...)."
                    + " Tests need no server with distributedid.backend=memory");
        }
        beans.registerDependentBean(name, user);
        return new BeanConnections(beans.getBean(name, DataSource.class), name);
    }
}
