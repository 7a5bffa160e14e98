package quickstart;

import io.distributedid.DistributedIds;
import io.distributedid.hibernate.DistributedIdService;
import jakarta.persistence.EntityManagerFactory;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/** Says what is in the databases, all of it read back from them. */
final class Report {

    private static final int ROWS = 4;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

    private final String backend;

    private final Shards shards;

    Report(String backend, Shards shards) {
        this.backend = backend;
        this.shards = shards;
    }

    void say(String text, Object... values) {
        System.out.println(backend + ": " + text.formatted(values));
    }

    /** How many photos and comments each shard holds. */
    void counts(String when) {
        say("%s: %s photos, %s comments on shards 0 and 1", when, count("Photo"), count("Comment"));
    }

    private List<Long> count(String entity) {
        return shards.ask(entities -> entities.createQuery("select count(*) from " + entity, Long.class)
                        .getResultList())
                .toList();
    }

    /** Some photos of each shard, ordered by id and with that by time. */
    void samples() {
        String row = "  %-5s  %-4s  %-12s  %s%n";
        System.out.printf(row, "shard", "user", "uploaded UTC", "decoded id");
        for (int shard = 0; shard < shards.count(); shard++) {
            EntityManagerFactory factory = shards.get(shard);
            DistributedIds ids = DistributedIdService.of(factory.unwrap(SessionFactoryImplementor.class))
                    .ids();
            for (Photo photo : evenlySpread(factory)) {
                System.out.printf(
                        row,
                        shard,
                        photo.user().name(),
                        TIME.format(photo.uploaded()),
                        ids.decode("photos", photo.id()));
            }
        }
    }

    private static List<Photo> evenlySpread(EntityManagerFactory factory) {
        return factory.callInTransaction(entities -> {
            List<Photo> all = entities.createQuery("from Photo p join fetch p.user order by p.id", Photo.class)
                    .getResultList();
            return IntStream.range(0, ROWS)
                    .mapToObj(number -> all.get(number * (all.size() - 1) / (ROWS - 1)))
                    .toList();
        });
    }

    /** Compares the ids of all shards; fails if there are not as many as expected, all different. */
    void verify() {
        List<Long> photos = ids("Photo");
        say("%d ids, %d distinct", photos.size(), distinct(photos));
        requireDistinct("photos", photos, Upload.PHOTOS);
        requireDistinct("comments", ids("Comment"), Upload.COMMENTS);
    }

    private List<Long> ids(String entity) {
        return shards.ask(entities -> entities.createQuery("select id from " + entity, Long.class)
                        .getResultList())
                .toList();
    }

    private static int distinct(List<Long> ids) {
        return new HashSet<>(ids).size();
    }

    private void requireDistinct(String sequence, List<Long> ids, int expected) {
        if (ids.size() != expected || distinct(ids) != expected) {
            throw new IllegalStateException("%s: %d %s have %d different ids, expected: %d"
                    .formatted(backend, ids.size(), sequence, distinct(ids), expected));
        }
    }
}
