package io.distributedid.spring;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.internal.settings.SettingNames;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Puts DataSource beans in place of their names, where a setting names servers. A setting that has a JDBC URL or a JNDI
 * name in it is left as it is. Who uses the beans is closed before them, so that ids and worker numbers can still be
 * handed back.
 *
 * @param beans where they are
 * @param user the name of the bean that uses them
 */
record DataSourceBeans(ConfigurableListableBeanFactory beans, String user) {

    private static final List<String> SERVERS = InstalledBackends.declarations().stream()
            .filter(each -> each.kind() == Setting.Kind.SERVERS)
            .map(Setting::name)
            .toList();

    private static final Pattern SEPARATOR = Pattern.compile("\\s*,\\s*");

    private static final Pattern NO_BEAN = Pattern.compile("(jdbc[:/]|java:).*", Pattern.DOTALL);

    /** The word for the application's own database, which is no bean's name. */
    private static final String APPLICATION = "application";

    /**
     * The settings with objects in them.
     *
     * @param settings by their full names
     * @return a copy
     * @throws IdConfigurationException if there is no bean of a name
     */
    Map<String, Object> in(Map<String, Object> settings) {
        Map<String, Object> all = new LinkedHashMap<>(settings);
        all.replaceAll((name, value) -> SERVERS.contains(SettingNames.general(name)) ? servers(name, value) : value);
        return all;
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
                    + ", allowed: the beans " + known + ", JDBC URLs (jdbc:...) or JNDI names (java:...)");
        }
        beans.registerDependentBean(name, user);
        return new BeanConnections(beans.getBean(name, DataSource.class), name);
    }
}
