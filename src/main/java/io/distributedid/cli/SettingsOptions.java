package io.distributedid.cli;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.internal.settings.PersistenceProperties;
import io.distributedid.internal.settings.Secrets;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that all commands share, and the server. */
public final class SettingsOptions {

    /** Passwords that may be in the environment, in variables such as DISTRIBUTEDID_TICKET_PASSWORD. */
    static final List<String> PASSWORDS = Stream.concat(
                    InstalledBackends.declarations().stream()
                            .filter(Setting::isSecret)
                            .map(Setting::name),
                    Stream.of(PersistenceProperties.PASSWORD, DatabaseOptions.PASSWORD))
            .toList();

    private static final List<String> PREFIXES =
            List.of(Setting.PREFIX, "jakarta.persistence.", "javax.persistence.", "hibernate.");

    private final Map<String, String> environment;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description =
                    "Settings by their full names (distributedid.backend=...): a .properties file in UTF-8, Spring"
                            + " Boot's application.yml or application.properties, or a persistence.xml.")
    private @Nullable Path config;

    @Option(
            names = "--unit",
            paramLabel = "NAME",
            scope = ScopeType.INHERIT,
            description = "The persistence unit, if persistence.xml has several.")
    private @Nullable String unit;

    @Option(
            names = "-D",
            paramLabel = "NAME=VALUE",
            scope = ScopeType.INHERIT,
            description = "A setting that overrides the one in the file. Passwords are read from the file, or from the"
                    + " environment (DISTRIBUTEDID_TICKET_PASSWORD).")
    private Map<String, String> overrides = new LinkedHashMap<>();

    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "Also print the causes of an error.")
    private boolean verbose;

    private Secrets secrets = Secrets.NONE;

    /** @param environment variables, of which passwords are read */
    public SettingsOptions(Map<String, String> environment) {
        this.environment = environment;
    }

    boolean isVerbose() {
        return verbose;
    }

    /** The secrets of the settings read so far. */
    public Secrets secrets() {
        return secrets;
    }

    /** Reads the file, the passwords of the environment and the options. */
    public CommandSettings read() {
        Map<String, Object> settings = new LinkedHashMap<>();
        if (config != null) {
            settings.putAll(SettingsFile.read(config, unit, environment));
        } else if (unit != null) {
            throw new IdConfigurationException(
                    "A persistence unit needs a file: --unit=" + unit + ", allowed: with --config=persistence.xml");
        }
        settings.putAll(passwords());
        // Now, so that the errors below are masked.
        Collection<Setting<?>> declared = keepSecrets(settings);
        overrides.forEach((name, value) -> {
            requireAllowed(name, declared);
            settings.put(name, value);
        });
        return new CommandSettings(settings);
    }

    /** Reads old settings, ignoring those of the command line. The file wins over the environment. */
    CommandSettings readOld(Path file) {
        Map<String, Object> settings = new LinkedHashMap<>(passwords());
        settings.putAll(SettingsFile.read(file, null, environment));
        keepSecrets(settings);
        return new CommandSettings(settings);
    }

    /** Returns all settings that are declared. */
    private Collection<Setting<?>> keepSecrets(Map<String, Object> settings) {
        Collection<Setting<?>> declared = InstalledBackends.installed().known(Settings.of(settings));
        secrets = secrets.and(Secrets.of(settings, declared));
        return declared;
    }

    private Map<String, String> passwords() {
        Map<String, String> passwords = new LinkedHashMap<>();
        PASSWORDS.forEach(name -> {
            String value = environment.get(variable(name));
            if (value != null) {
                passwords.put(name, value);
            }
        });
        return passwords;
    }

    /** Whether it is a setting, or one of the persistence unit's own database. */
    static boolean isAllowed(String name) {
        return PREFIXES.stream().anyMatch(name::startsWith);
    }

    private static void requireAllowed(String name, Collection<Setting<?>> declared) {
        if (!isAllowed(name)) {
            throw new IdConfigurationException("A setting must have its full name: -D " + name + ", allowed: "
                    + Setting.PREFIX + "NAME, or those of the persistence unit's own database");
        }
        if (Secrets.isSecret(name, declared)) {
            throw new IdConfigurationException(
                    "A password must not be on the command line, where others can read it: -D "
                            + name + ", allowed: in the file of --config, or in the environment"
                            + (PASSWORDS.contains(name) ? ": " + variable(name) : ""));
        }
    }

    /** The variable of the environment that has a password. */
    static String variable(String name) {
        String full = isAllowed(name) ? name : Setting.PREFIX + name;
        return full.toUpperCase(Locale.ROOT).replace('.', '_');
    }
}
