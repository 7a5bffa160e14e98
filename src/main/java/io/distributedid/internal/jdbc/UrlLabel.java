package io.distributedid.internal.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a database in logs, metrics and recordings, made from its JDBC URL: {@code jdbc:mysql://t1:3306/tickets}.
 *
 * <p>The label is an allowlist: driver, hosts, ports and the path behind them. A password that contains {@code /},
 * {@code ?} or {@code @} makes a URL that no driver can parse, but it must not be printed either. So the text before
 * the last {@code @} is never shown, and a path is shown only behind valid hosts.
 */
final class UrlLabel {

    private static final Pattern DRIVER = Pattern.compile("(?:[\\w.+-]+:)+(?=//)");

    private static final Pattern SHORT_DRIVER = Pattern.compile("jdbc:[\\w.+-]+:(?:thin:)?");

    /** {@code ?name=}; a {@code ?} in a password does not match. */
    private static final Pattern PARAMETERS = Pattern.compile("[?;&#]\\s*(?:[\\w.$-]+\\s*=|$)");

    private static final Pattern KEYS = Pattern.compile("\\[?\\s*(?:address\\s*=\\s*)?\\(", Pattern.CASE_INSENSITIVE);

    private static final Pattern KEY = Pattern.compile(
            "[(,]\\s*(host|port)\\s*=\\s*([\\w.-]+|\\[[0-9A-Fa-f:.]+])\\s*(?=[,)])", Pattern.CASE_INSENSITIVE);

    private static final Pattern PATH_AFTER_KEYS = Pattern.compile("\\)\\s*]?(/\\w+)$");

    private static final Pattern HOST = Pattern.compile("([\\w.-]+|\\[[0-9A-Fa-f:.]+])(?::\\d{1,5})?");

    private static final Pattern PATH = Pattern.compile("[\\w.~$/\\\\: -]*");

    private UrlLabel() {}

    static String of(String url) {
        Matcher parameters = PARAMETERS.matcher(url);
        String text = parameters.find() ? url.substring(0, parameters.start()) : url;
        Matcher driver = DRIVER.matcher(text);
        if (driver.lookingAt()) {
            return driver.group() + "//" + hosts(text.substring(driver.end() + 2));
        }
        Matcher shortDriver = SHORT_DRIVER.matcher(text);
        int end = shortDriver.lookingAt() ? shortDriver.end() : 0;
        String rest = text.substring(end);
        String path = rest.substring(rest.lastIndexOf('@') + 1);
        return text.substring(0, end) + (PATH.matcher(path).matches() ? path : "");
    }

    /**
     * Whether drivers would misread the user or password, and may then print it: the text before the first {@code /},
     * {@code ?} or {@code #} is not a list of hosts, and an {@code @} follows it.
     */
    static boolean hasUnreadableCredentials(String url) {
        Matcher driver = DRIVER.matcher(url);
        if (!driver.lookingAt()) {
            return false;
        }
        String[] parts = url.substring(driver.end() + 2).split("[/?#]", 2);
        return parts.length == 2
                && parts[1].indexOf('@') >= 0
                && parts[0].indexOf('(') < 0
                && parts[0].indexOf('@') < 0
                && !parts[0].isEmpty()
                && !areHosts(parts[0]);
    }

    private static String hosts(String text) {
        if (KEYS.matcher(text).lookingAt()) {
            return hostsByKey(text);
        }
        String rest = text.substring(text.lastIndexOf('@') + 1);
        if (KEYS.matcher(rest).lookingAt()) {
            return hostsByKey(rest);
        }
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        String path = slash < 0 ? "" : rest.substring(slash);
        if (authority.isEmpty() || areHosts(authority)) {
            return authority + (PATH.matcher(path).matches() ? path : "");
        }
        // It may be user:password: show the first part only.
        Matcher name = HOST.matcher(authority.split(":", 2)[0]);
        return name.matches() ? name.group() : "";
    }

    private static boolean areHosts(String authority) {
        for (String host : authority.split(",", -1)) {
            if (!HOST.matcher(host.strip()).matches()) {
                return false;
            }
        }
        return true;
    }

    private static String hostsByKey(String text) {
        List<String> hosts = new ArrayList<>();
        Matcher key = KEY.matcher(text);
        while (key.find()) {
            if ("host".equalsIgnoreCase(key.group(1))) {
                hosts.add(key.group(2));
            } else if (!hosts.isEmpty()) {
                hosts.set(hosts.size() - 1, hosts.get(hosts.size() - 1) + ":" + key.group(2));
            }
        }
        Matcher path = PATH_AFTER_KEYS.matcher(text);
        return String.join(",", hosts) + (path.find() ? path.group(1) : "");
    }
}
