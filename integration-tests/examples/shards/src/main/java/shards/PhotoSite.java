package shards;

import io.distributedid.hibernate.DistributedIdService;
import io.distributedid.spi.IdShard;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.util.Map;
import java.util.function.Function;

/** The application: photos of users on any number of shards. */
final class PhotoSite implements AutoCloseable {

    private final Directory directory;

    private final EntityManagerFactory factory;

    /** Where the shard stands in the key of a photo. */
    private final IdShard keys;

    PhotoSite(Directory directory) {
        this.directory = directory;
        factory = Persistence.createEntityManagerFactory(
                "photos", Map.of("hibernate.multi_tenant_connection_provider", new ShardConnections(directory)));
        keys = DistributedIdService.of(factory).ids().shard("photos");
    }

    /** Stores photos in one transaction, on their user's shard. */
    void upload(long userId, Photo... photos) {
        in(Shard.ofUser(userId), entities -> {
            for (Photo photo : photos) {
                entities.persist(photo);
            }
            return null;
        });
    }

    /** Finds a photo by its key alone: the key says the shard, the directory says the server. */
    Photo find(long id) {
        return in(shardOf(id), entities -> entities.find(Photo.class, id));
    }

    Shard shardOf(long id) {
        return new Shard((int) keys.of(id));
    }

    private <T> T in(Shard shard, Function<EntityManager, T> work) {
        return directory.use(shard, () -> CurrentShard.call(shard, () -> factory.callInTransaction(work::apply)));
    }

    @Override
    public void close() {
        factory.close();
    }
}
