package io.distributedid.internal.jdbc;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a driver reads the properties in its URLs, and what of any URL may be shown. */
enum UrlSyntax {
    /** Names may be encoded. A name without {@code =} sets nothing. Case matters, but not for user and password. */
    MYSQL("com.mysql:mysql-connector-j", "[^?#]*\\?([^#]*)", "\\s*([^&=]+?)\\s*=[^&]*", false),
    MARIADB("org.mariadb.jdbc:mariadb-java-client", "[^?]*\\?(.*)", "([^&=]+)[^&]*", true),
    POSTGRESQL("org.postgresql:postgresql", "[^?]*\\?(.*)", "([^&=]+)[^&]*", false),
    /** A {@code \;} is part of a value. */
    H2("com.h2database:h2", "[^;]*;(.*)", "((?:\\\\.|[^;=])+)(?:\\\\.|[^;])*", true),
    /** Most likely a driver around one of the others. */
    OTHER("", "(.*)", "\\s*([^?;&(,=]+?)\\s*=[^?;&(,]*", true);

    private static final Pattern NAME = Pattern.compile("jdbc:(mysql|mariadb|postgresql|h2)(?:\\+srv)?:");

    private static final Pattern CREDENTIALS = Pattern.compile("//[^/?#:@]*(:[^/?#]*)?@");

    /** Group 1 is there if hosts follow. */
    private static final Pattern DRIVER = Pattern.compile("(?:[\\w.+-]+:)+(//)|jdbc:[\\w.+-]+:(?:thin:)?");

    /** {@code ?name=}; a {@code ?} in a password does not match. */
    private static final Pattern PARAMETERS = Pattern.compile("[?;&#]\\s*(?:[\\w.$-]+\\s*=|$)");

    private static final Pattern KEYS = Pattern.compile("(?i)\\[?\\s*(?:address\\s*=\\s*)?\\(");

    private static final Pattern KEY =
            Pattern.compile("(?i)[(,]\\s*(host|port)\\s*=\\s*([\\w.-]+|\\[[0-9A-F:.]+])\\s*(?=[,)])");

    private static final Pattern PATH_AFTER_KEYS = Pattern.compile("\\)\\s*]?(/\\w+)$");

    private static final String HOST = "\\s*(?:[\\w.-]+|\\[[0-9A-Fa-f:.]+])(?::\\d{1,5})?\\s*";

    private static final Pattern HOSTS = Pattern.compile(HOST + "(?:," + HOST + ")*");

    private static final Pattern UNREADABLE =
            Pattern.compile("(?s)(?:[\\w.+-]+:)+//(?!" + HOST + "(?:," + HOST + ")*[/?#])[^/?#@(]+[/?#].*@.*");

    private static final Pattern PATH = Pattern.compile("[\\w.~$/\\\\: -]*");

    private final String artifact;

    private final Pattern settings;

    private final Pattern setting;

    private final boolean ignoresCase;

    /**
     * @param artifact the driver in Maven's repository
     * @param settings group 1 holds the properties
     * @param setting one of them; group 1 is its name
     */
    UrlSyntax(String artifact, String settings, String setting, boolean ignoresCase) {
        this.artifact = artifact;
        this.settings = Pattern.compile(settings);
        this.setting = Pattern.compile(setting);
        this.ignoresCase = ignoresCase;
    }

    boolean isMySql() {
        return this == MYSQL || this == MARIADB;
    }

    /** A time in the driver's unit; 0 if it has no such property. */
    long timeout(Duration time) {
        long millis = time.toMillis();
        if (isMySql()) {
            return millis;
        }
        return this == POSTGRESQL ? (millis + 999) / 1000 : 0;
    }

    static UrlSyntax of(String url) {
        Matcher name = NAME.matcher(url);
        return name.lookingAt() ? valueOf(name.group(1).toUpperCase(Locale.ROOT)) : OTHER;
    }

    String artifact() {
        return artifact;
    }

    /**
     * The names of the driver properties that a URL sets for all its hosts. The set compares names as the driver does.
     * The same properties must not be given beside the URL: MySQL's driver would prefer them to the URL's, and H2
     * refuses to connect.
     *
     * <p>A MySQL URL can also set some for one host: {@code //user:password@host}, {@code //(host=t1,user=me)}. These
     * do not count here. The driver prefers them for that host, and the other hosts need what is given beside the URL.
     */
    SortedSet<String> names(String url) {
        SortedSet<String> names =
                new TreeSet<>(ignoresCase ? String.CASE_INSENSITIVE_ORDER : Comparator.naturalOrder());
        Matcher text = settings.matcher(url);
        if (text.lookingAt()) {
            setting.matcher(text.group(1)).results().forEach(each -> names.add(name(each.group(1))));
        }
        Matcher credentials = CREDENTIALS.matcher(url);
        if (this == OTHER && credentials.find()) {
            names.addAll(credentials.group(1) == null ? List.of("user") : List.of("user", "password"));
        }
        return names;
    }

    private String name(String written) {
        if (this != MYSQL) {
            return written;
        }
        try {
            String name = URLDecoder.decode(written, StandardCharsets.UTF_8);
            return name.matches("(?i)user|password") ? name.toLowerCase(Locale.ROOT) : name;
        } catch (IllegalArgumentException e) {
            return written; // The driver will say what is wrong with it.
        }
    }

    /**
     * Whether drivers would misread the user or password, and may then print it: the text before the first {@code /},
     * {@code ?} or {@code #} is not a list of hosts, and an {@code @} follows it.
     */
    static boolean hasUnreadableCredentials(String url) {
        return UNREADABLE.matcher(url).matches();
    }

    /**
     * The name of a database in logs, metrics and recordings: {@code jdbc:mysql://t1:3306/tickets}.
     *
     * <p>The label is an allowlist: driver, hosts, ports and the path behind them. A password that contains {@code /},
     * {@code ?} or {@code @} makes a URL that no driver can parse, but it must not be printed either. So the text
     * before the last {@code @} is never shown, and a path is shown only behind valid hosts.
     */
    static String label(String url) {
        Matcher parameters = PARAMETERS.matcher(url);
        String text = parameters.find() ? url.substring(0, parameters.start()) : url;
        Matcher driver = DRIVER.matcher(text);
        int end = driver.lookingAt() ? driver.end() : 0;
        String rest = text.substring(end);
        boolean hasHosts = end > 0 && driver.group(1) != null;
        return text.substring(0, end) + (hasHosts ? hosts(rest) : path(afterCredentials(rest)));
    }

    private static String hosts(String text) {
        String rest = afterCredentials(text);
        for (String each : List.of(text, rest)) {
            if (KEYS.matcher(each).lookingAt()) {
                return hostsByKey(each);
            }
        }
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        if (authority.isEmpty() || HOSTS.matcher(authority).matches()) {
            return authority + path(rest.substring(authority.length()));
        }
        // It may be user:password: show the first part only.
        String name = authority.split(":", 2)[0];
        return name.matches(HOST) ? name : "";
    }

    private static String afterCredentials(String text) {
        return text.substring(text.lastIndexOf('@') + 1);
    }

    private static String path(String text) {
        return PATH.matcher(text).matches() ? text : "";
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
