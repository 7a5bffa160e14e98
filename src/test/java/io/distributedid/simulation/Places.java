package io.distributedid.simulation;

import io.distributedid.IdConfigurationException;
import java.util.HashMap;
import java.util.Map;

/** What the application's database remembers: the token of each sequence. */
final class Places {

    private final Setup setup;

    private final Map<String, String> remembered = new HashMap<>();

    Places(Setup setup) {
        this.setup = setup;
    }

    /** Compares a token with the one that is remembered, as the library does at a start. */
    void remember(String sequence, String token) {
        String before = remembered.putIfAbsent(sequence, token);
        if (before != null && !before.equals(token)) {
            throw new IdConfigurationException(
                    "A sequence takes its ids from a different place than before: " + sequence);
        }
    }

    boolean isRemembered(String sequence) {
        return remembered.containsKey(sequence);
    }

    /** The token of a sequence; empty if nobody has used it. */
    String token(String sequence) {
        return remembered.getOrDefault(sequence, "");
    }

    /** An operator's command has made another place of the table of a sequence. */
    void replace(String sequence, String token) {
        setup.names().stream()
                .filter(each ->
                        setup.key(each).table().equals(setup.key(sequence).table()))
                .filter(remembered::containsKey)
                .forEach(each -> remembered.put(each, token));
    }
}
