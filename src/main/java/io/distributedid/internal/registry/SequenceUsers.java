package io.distributedid.internal.registry;

import io.distributedid.internal.settings.SettingNames;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** The users of each sequence that were announced at start: its properties and columns. Thread-safe. */
final class SequenceUsers {

    private static final Logger LOG = System.getLogger(SequenceUsers.class.getName());

    private record User(long maxValue, String text) {}

    private final Settings settings;

    /** The narrowest user of each sequence, by name; names are checked when sequences are opened. */
    private final Map<String, User> announced = new ConcurrentHashMap<>();

    SequenceUsers(Settings settings) {
        this.settings = settings;
    }

    /** See {@link SequenceRegistry#announce}. */
    void announce(String name, long maxValue, String usedBy) {
        announced.merge(
                name, new User(maxValue, usedBy), (one, other) -> one.maxValue() <= other.maxValue() ? one : other);
    }

    /** A sequence to be opened: as wide as its narrowest user, whoever opens it. */
    Sequence sequence(String name, long maxValue, String usedBy) {
        User caller = new User(maxValue, usedBy);
        User known = announced.getOrDefault(name, caller);
        User user = known.maxValue() <= maxValue ? known : caller;
        return new Sequence(name, user.maxValue(), user.text(), settings.forSequence(name));
    }

    /** Warns if the application has perhaps misspelt the name of a sequence that it has opened. */
    void warnIfUnknown(Sequence opened) {
        if (!opened.usedBy().equals(SequenceRegistry.APPLICATION)) {
            return;
        }
        String name = opened.name();
        Set<String> known = new TreeSet<>(announced.keySet());
        known.addAll(settings.sequences());
        if (!known.isEmpty() && !known.contains(name)) {
            LOG.log(
                    Level.WARNING,
                    "No entity and no setting names this sequence, so it is a separate sequence: seq="
                            + name
                            + SettingNames.near(name, known)
                                    .map(near -> " (did you mean " + near + "?)")
                                    .orElse(", named: " + known)
                            + ". Correct the name, or name it in the settings: "
                            + Setting.SEQUENCE_PREFIX + name + ".unused_sequences=ignore");
        }
    }
}
