package io.distributedid.internal.jdbc;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The driver properties that a JDBC URL sets for all its hosts, as the drivers read it. The same properties must not be
 * given beside the URL: MySQL's driver would prefer them to the URL's, and H2 refuses to connect.
 *
 * <p>A MySQL URL can also set some for one host: {@code //user:password@host}, {@code //(host=t1,user=me)}. These do
 * not count here. The driver prefers them for that host, and the other hosts need what is given beside the URL.
 */
final class UrlProperties {

    private static final Pattern PARAMETER = Pattern.compile("[^&]+");

    /** A {@code \;} is part of a value. */
    private static final Pattern H2_SETTING = Pattern.compile("(?:\\\\.|[^;])+");

    private static final Pattern ANY_SETTING = Pattern.compile("[^?;&(,]+");

    private static final Pattern CREDENTIALS = Pattern.compile("//([^/?#:@]*)(:[^/?#]*)?@");

    private static final List<String> IN_ANY_CASE = List.of("user", "password");

    private UrlProperties() {}

    /** The names of the properties. The set compares names as the driver does. */
    static SortedSet<String> names(String url) {
        if (url.startsWith("jdbc:mysql:") || url.startsWith("jdbc:mysql+srv:")) {
            return ofMySql(url);
        }
        if (url.startsWith("jdbc:mariadb:")) {
            return of(PARAMETER, behind('?', url), String.CASE_INSENSITIVE_ORDER);
        }
        if (url.startsWith("jdbc:postgresql:")) {
            return of(PARAMETER, behind('?', url), Comparator.naturalOrder());
        }
        if (url.startsWith("jdbc:h2:")) {
            return of(H2_SETTING, behind(';', url), String.CASE_INSENSITIVE_ORDER);
        }
        return ofOther(url);
    }

    private static SortedSet<String> of(Pattern setting, String settings, Comparator<String> order) {
        SortedSet<String> names = new TreeSet<>(order);
        setting.matcher(settings)
                .results()
                .forEach(found -> names.add(found.group().split("=", 2)[0]));
        return names;
    }

    /** Names may be encoded. A name without {@code =} sets nothing. Case matters, but not for user and password. */
    private static SortedSet<String> ofMySql(String url) {
        SortedSet<String> names = new TreeSet<>(Comparator.comparing(UrlProperties::asMySqlNamesIt));
        PARAMETER
                .matcher(behind('?', url.split("#", 2)[0]))
                .results()
                .map(found -> found.group().split("=", 2))
                .filter(parts -> parts.length == 2)
                .forEach(parts -> names.add(decoded(parts[0].strip())));
        return names;
    }

    private static String asMySqlNamesIt(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return IN_ANY_CASE.contains(lower) ? lower : name;
    }

    private static String decoded(String name) {
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return name; // The driver will say what is wrong with it.
        }
    }

    /** Most likely a driver around one of the others. */
    private static SortedSet<String> ofOther(String url) {
        SortedSet<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        ANY_SETTING
                .matcher(url)
                .results()
                .map(found -> found.group().split("=", 2))
                .filter(parts -> parts.length == 2)
                .forEach(parts -> names.add(parts[0].strip()));
        Matcher credentials = CREDENTIALS.matcher(url);
        if (credentials.find()) {
            if (!credentials.group(1).isEmpty()) {
                names.add("user");
            }
            if (credentials.group(2) != null) {
                names.add("password");
            }
        }
        return names;
    }

    private static String behind(char mark, String url) {
        int start = url.indexOf(mark);
        return start < 0 ? "" : url.substring(start + 1);
    }
}
