package io.distributedid.server;

import io.distributedid.IdHealth;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.settings.SettingNames;
import io.distributedid.spi.Setting;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * The sequences of which the server gives ids, or those of which it gives numbers per key, by name. Opens them at the
 * start, and looks again after those that fail. Thread-safe.
 */
final class Sequences<T extends Served> {

    private static final Logger LOG = System.getLogger(Sequences.class.getName());

    private final Setting<String> setting;

    private final String what;

    private final Map<String, T> byName = new LinkedHashMap<>();

    /** Why a sequence could not be used at last. */
    private final Map<String, String> reasons = new ConcurrentHashMap<>();

    private final AtomicBoolean isLooking = new AtomicBoolean();

    /**
     * @param setting that names them
     * @param what the server gives of them
     */
    Sequences(Setting<String> setting, String what, Set<String> names, Function<String, T> make) {
        this.setting = setting;
        this.what = what;
        names.forEach(name -> byName.put(name, make.apply(name)));
    }

    /** In the order of the setting. */
    Collection<T> all() {
        return byName.values();
    }

    /** The names of those that a caller may use. */
    List<String> names(Caller caller) {
        return byName.keySet().stream().filter(caller::mayUse).toList();
    }

    /** Read once for an answer, so that all its parts agree. */
    IdHealth health() {
        return IdHealth.of(all().stream().map(Served::health).toList());
    }

    /** Of those that a caller may use. */
    IdHealth health(Caller caller) {
        return IdHealth.of(
                names(caller).stream().map(byName::get).map(Served::health).toList());
    }

    /** That in the path of a request. */
    T named(Exchange exchange) {
        return named(exchange.value("seq"), exchange.caller());
    }

    /** @throws Problem if the sequence is not served, or the caller may not use it */
    T named(String name, Caller caller) {
        caller.requireSequence(name);
        T found = byName.get(name);
        if (found == null) {
            Optional<String> nearest = SettingNames.near(name, new HashSet<>(names(caller)));
            throw new Problem(
                    ProblemType.UNKNOWN_SEQUENCE,
                    "There is no such sequence: seq=" + Problem.quoted(name) + ". "
                            + nearest.map(near -> "Did you mean " + near + "?")
                                    .orElse("The server issues " + what + " of the sequences in " + setting),
                    nearest.map(near -> Map.of("nearest", near)).orElse(Map.of()));
        }
        return found;
    }

    boolean areWell() {
        return all().stream().allMatch(Served::isWell);
    }

    /**
     * Opens all. If a store does not answer, the start waits for it once: {@link #lookAgain} opens the others later.
     *
     * @throws io.distributedid.IdConfigurationException if a sequence is configured wrongly
     */
    void open() {
        try {
            all().forEach(Served::look);
        } catch (IdUnavailableException e) {
            all().stream()
                    .filter(each -> !each.isWell())
                    .forEach(each -> reasons.put(each.name(), String.valueOf(e.getMessage())));
            LOG.log(
                    Level.WARNING,
                    Pages.withOneRow("The server starts without some of its sequences, and tries to open them again. "
                            + e.getMessage() + Pages.onCall("service-without")));
        }
    }

    /** Tries again what could not be opened or has failed. May wait. Does nothing while another thread does this. */
    void lookAgain() {
        if (isLooking.compareAndSet(false, true)) {
            try {
                all().stream().filter(each -> !each.isWell()).forEach(this::lookAgain);
            } finally {
                isLooking.set(false);
            }
        }
    }

    /** Each new reason is a warning once. An error too, such as a class that is missing. */
    private void lookAgain(T sequence) {
        String name = sequence.name();
        try {
            sequence.look();
            if (reasons.remove(name) != null) {
                LOG.log(Level.INFO, "A sequence can be used now: seq={0}", name);
            }
        } catch (RuntimeException | Error e) {
            String reason = String.valueOf(e.getMessage());
            if (!reason.equals(reasons.put(name, reason))) {
                LOG.log(Level.WARNING, "A sequence can't be used: seq=" + name + ". " + reason);
            }
        }
    }
}
