package io.distributedid.backend.redis;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One server of the setting: a standalone Redis, the master that Sentinels name, or a cluster. Holds a password.
 *
 * @param label names it in messages, without user and password
 * @param urls one; or the seeds of a cluster
 * @param credentials for URLs without any; empty if there are none
 * @param isCluster whether it is a cluster
 * @param trust what its certificate must be signed by; empty for the certificates that the JVM trusts
 */
record RedisAddress(
        String label,
        List<String> urls,
        boolean isCluster,
        Optional<RedisCredentialsProvider> credentials,
        Optional<File> trust) {

    /** The hosts of one URL are separated by commas too: a comma is a separator only before a new URL. */
    private static final Pattern SEPARATOR = Pattern.compile("\\s*,\\s*(?=[A-Za-z][A-Za-z0-9+.-]*://)");

    private static final Pattern URL = Pattern.compile(
            "(rediss?|rediss?-sentinel|rediss?-cluster)://(?:.*@)?([^@/?#]+)(/\\d{0,4})?(\\?[^#]*)?(#.+)?");

    private static final String CLUSTER = "-cluster";

    /** The servers in the order of the setting. Does not connect to any. */
    static List<RedisAddress> all(Settings settings) {
        Setting<?> setting = RedisSettings.COUNTING.servers();
        Object given = settings.given(setting).orElseThrow(() -> settings.missing(setting, "Ids are counted in Redis"));
        List<String> urls = ServerSettingParser.entries(given).stream()
                .flatMap(each -> SEPARATOR.splitAsStream(each.toString().strip()))
                .toList();
        List<RedisAddress> all = new ArrayList<>();
        for (String url : urls) {
            RedisAddress address = parse(settings, url);
            if (all.stream().anyMatch(each -> each.label.equals(address.label))) {
                throw invalid(settings, address.label + " twice", "every server once");
            }
            all.add(address);
        }
        return all;
    }

    private static RedisAddress parse(Settings settings, String url) {
        if (url.endsWith(",")) {
            throw invalid(settings, JdbcUrl.label(url), RedisSettings.URLS + ServerSettingParser.LAST_COMMA);
        }
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw invalid(settings, JdbcUrl.label(url), RedisSettings.URLS);
        }
        String scheme = parts.group(1).toLowerCase(Locale.ROOT);
        boolean isCluster = scheme.endsWith(CLUSTER);
        boolean isSentinel = scheme.endsWith("-sentinel");
        String database = Optional.ofNullable(parts.group(3)).orElse("");
        String name = Optional.ofNullable(parts.group(5)).orElse("");
        String label = scheme + "://" + parts.group(2) + (database.length() > 1 ? database : "") + name;
        if (isSentinel == name.isEmpty() || (isCluster && database.length() > 1)) {
            throw invalid(settings, label, RedisSettings.URLS);
        }
        String credentials = url.substring(parts.end(1) + "://".length(), parts.start(2));
        String options = Optional.ofNullable(parts.group(4)).orElse("");
        List<String> urls = isCluster
                ? Stream.of(parts.group(2).split(",", 0))
                        .map(host -> scheme.replace(CLUSTER, "") + "://" + credentials + host.strip() + options)
                        .toList()
                : List.of(url);
        try {
            urls.forEach(RedisURI::create);
        } catch (IllegalArgumentException e) {
            // Its message may hold the password.
            throw invalid(settings, label, RedisSettings.URLS);
        }
        return new RedisAddress(
                label,
                urls,
                isCluster,
                credentials.isEmpty() ? credentials(settings) : Optional.empty(),
                settings.find(RedisSettings.TRUST).map(path -> trusted(settings, path)));
    }

    private static File trusted(Settings settings, String path) {
        File file = new File(path.strip());
        if (!file.canRead()) {
            throw settings.invalid(RedisSettings.TRUST, path, RedisSettings.TRUST.allowed() + " that can be read");
        }
        return file;
    }

    private static IdConfigurationException invalid(Settings settings, String label, String allowed) {
        return settings.invalid(RedisSettings.COUNTING.servers(), label, allowed);
    }

    private static Optional<RedisCredentialsProvider> credentials(Settings settings) {
        return settings.find(RedisSettings.COUNTING.password())
                .map(password -> new StaticCredentialsProvider(
                        settings.find(RedisSettings.COUNTING.user()).orElse(null), password.toCharArray()));
    }

    /** The URIs with a limit for connecting and for the handshake. */
    List<RedisURI> within(Duration atMost) {
        return urls.stream()
                .map(url -> {
                    RedisURI uri = RedisURI.create(url);
                    uri.setTimeout(atMost);
                    uri.getSentinels().forEach(sentinel -> sentinel.setTimeout(atMost));
                    credentials.ifPresent(uri::setCredentialsProvider);
                    return uri;
                })
                .toList();
    }

    @Override
    public String toString() {
        return label;
    }
}
