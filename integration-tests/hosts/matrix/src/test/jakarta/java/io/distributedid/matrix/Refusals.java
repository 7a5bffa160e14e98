package io.distributedid.matrix;

import io.distributedid.DistributedIdException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Says in a few words who refused what. */
final class Refusals {

    private static final Pattern CLASSES = Pattern.compile("io\\.distributedid\\.matrix\\.(\\w+\\$)?");

    /** What comes before the message of EclipseLink's exceptions. */
    private static final String DESCRIPTION = "Exception Description: ";

    private Refusals() {}

    static String reason(Throwable thrown) {
        List<Throwable> chain = Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
                .limit(20)
                .toList();
        return chain.stream()
                .filter(DistributedIdException.class::isInstance)
                .map(each -> sentence(each.getMessage()))
                .findFirst()
                .orElseGet(() -> foreign(chain.get(0), chain.get(chain.size() - 1)));
    }

    /** Our messages name the rule, then a colon. */
    private static String sentence(String message) {
        String rule = message.replaceFirst("^[\\w.$]+ \\(seq=[^)]*\\): ", "");
        int end = rule.indexOf(": ");
        int because = rule.indexOf(", because ");
        return because < 0 ? rule.substring(0, end) : rule.substring(0, end) + rule.substring(because);
    }

    private static String foreign(Throwable first, Throwable root) {
        String message = CLASSES.matcher(String.valueOf(root.getMessage())).replaceAll("");
        int description = message.lastIndexOf(DESCRIPTION);
        if (description >= 0) {
            String described = message.substring(description + DESCRIPTION.length());
            return first.getClass().getSimpleName() + " ("
                    + described.lines().findFirst().orElse("") + ")";
        }
        int end = Stream.of(":", "\n", " [", " (", "; ")
                .mapToInt(message::indexOf)
                .filter(at -> at > 0)
                .min()
                .orElse(message.length());
        // Wordings that differ between versions.
        String start = message.substring(0, end)
                .replaceFirst("^Detached", "detached")
                .replace("was already", "was")
                .replaceFirst(" for entity$", "");
        return first.getClass().getSimpleName() + " (" + start + ")";
    }
}
