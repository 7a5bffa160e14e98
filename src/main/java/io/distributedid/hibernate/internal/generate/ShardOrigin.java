package io.distributedid.hibernate.internal.generate;

import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Settings;
import java.util.Optional;
import java.util.regex.Pattern;

/** The origin of a row's shard: the value of {@code distributedid.shard.from}. */
sealed interface ShardOrigin {

    /** Hibernate's tenant identifier. */
    record Tenant() implements ShardOrigin {}

    /** A property of the entity; the path leads through embedded objects. */
    record Property(String path) implements ShardOrigin {}

    /** The shard in the id of another entity; the path leads to the association, perhaps through embedded objects. */
    record Other(String path) implements ShardOrigin {}

    /** An argument of the call. */
    record Caller() implements ShardOrigin {}

    /** Reads the setting of a sequence; empty if it is not set. */
    static Optional<ShardOrigin> of(Settings settings) {
        return settings.find(CoreSettings.SHARD_FROM).map(text -> switch (text) {
            case "tenant" -> new Tenant();
            case "caller" -> new Caller();
            default -> property(settings, text);
        });
    }

    private static ShardOrigin property(Settings settings, String text) {
        if (!Path.PATTERN.matcher(text).matches()) {
            throw settings.invalid(CoreSettings.SHARD_FROM, text, CoreSettings.SHARD_FROM.allowed());
        }
        String path = text.substring(text.indexOf('.') + 1);
        return text.startsWith(Path.OTHER) ? new Other(path) : new Property(path);
    }

    /** Private constants, which an interface can't have. */
    final class Path {

        private static final String OTHER = "same_as.";

        private static final Pattern PATTERN =
                Pattern.compile("(entity|same_as)(\\.\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*)+");

        private Path() {}
    }
}
