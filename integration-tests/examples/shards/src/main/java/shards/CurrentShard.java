package shards;

import java.util.function.Supplier;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;

/** The shard that the current thread works on, which is Hibernate's tenant. */
public final class CurrentShard implements CurrentTenantIdentifierResolver<String> {

    private static final ThreadLocal<Shard> CURRENT = new ThreadLocal<>();

    /** For Hibernate. */
    public CurrentShard() {}

    /** Works on a shard. */
    static <T> T call(Shard shard, Supplier<T> work) {
        Shard before = CURRENT.get();
        CURRENT.set(shard);
        try {
            return work.get();
        } finally {
            CURRENT.set(before);
        }
    }

    @Override
    public String resolveCurrentTenantIdentifier() {
        Shard shard = CURRENT.get();
        if (shard == null) {
            throw new IllegalStateException("A session must be opened on a shard: CurrentShard.call(shard, ...)");
        }
        return shard.schema();
    }

    @Override
    public boolean validateExistingCurrentSessions() {
        return true;
    }
}
