package io.distributedid.hibernate.internal.generate;

import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Where a row's shard comes from, as {@link DistributedIdSettings#SHARD_FROM} says. */
public sealed interface ShardOrigin {

    /** Hibernate's tenant identifier. */
    record Tenant() implements ShardOrigin {}

    /**
     * A property of the entity.
     *
     * @param path its name, or those of embedded objects and then its name
     */
    record Property(List<String> path) implements ShardOrigin {

        /** Takes a copy. */
        public Property {
            path = List.copyOf(path);
        }
    }

    /**
     * The shard of another entity, which its key says.
     *
     * @param path the property that leads to it, perhaps in embedded objects
     */
    record Other(List<String> path) implements ShardOrigin {

        /** Takes a copy. */
        public Other {
            path = List.copyOf(path);
        }
    }

    /** An argument of the call. */
    record Caller() implements ShardOrigin {}

    /**
     * Reads the setting.
     *
     * @param settings of a sequence
     * @return empty if it is not set
     * @throws io.distributedid.IdConfigurationException if it is none of these
     */
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
        List<String> path = List.of(text.substring(text.indexOf('.') + 1).split("\\.", -1));
        return text.startsWith(Path.OTHER) ? new Other(path) : new Property(path);
    }

    /** Constants that are nobody else's. */
    final class Path {

        private static final String OTHER = "same_as.";

        private static final Pattern PATTERN =
                Pattern.compile("(entity|same_as)(\\.\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*)+");

        private Path() {}
    }
}
