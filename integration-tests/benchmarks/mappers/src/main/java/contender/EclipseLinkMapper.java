package contender;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Persistence;
import jakarta.persistence.Table;
import java.util.HashMap;
import java.util.Map;

/** EclipseLink, with batch writing. */
final class EclipseLinkMapper implements Mapper {

    /** Its id comes from the application. */
    @Entity
    @Table(name = Memory.TABLE)
    public static class Photo {

        @Id
        Long id;

        String title = TITLE;
    }

    /** Its id comes from the customizer's sequence. */
    @Entity
    @Table(name = Memory.TABLE)
    public static class GeneratedPhoto {

        @Id
        @DistributedId(seq = Memory.TABLE)
        Long id;

        String title = TITLE;
    }

    private final Memory memory;

    private final Side side;

    private final EntityManagerFactory factory;

    EclipseLinkMapper(Memory memory, Side side) {
        this.memory = memory;
        this.side = side;
        Map<String, Object> settings = new HashMap<>(Map.of(
                "jakarta.persistence.nonJtaDataSource",
                memory.pool,
                "eclipselink.jdbc.batch-writing",
                "JDBC",
                "eclipselink.jdbc.batch-writing.size",
                Integer.toString(BATCH),
                "eclipselink.logging.level",
                "OFF",
                "eclipselink.weaving",
                "false"));
        if (side == Side.OURS) {
            settings.putAll(Memory.settings(memory.url));
            settings.put("eclipselink.session.customizer", "io.distributedid.eclipselink.DistributedIdCustomizer");
        }
        factory = Persistence.createEntityManagerFactory(side == Side.OURS ? "generated" : "assigned", settings);
    }

    @Override
    public void insert(int rows) {
        try (EntityManager manager = factory.createEntityManager()) {
            manager.getTransaction().begin();
            for (int row = 0; row < rows; row++) {
                manager.persist(photo());
            }
            manager.getTransaction().commit();
        }
    }

    private Object photo() {
        if (side == Side.OURS) {
            return new GeneratedPhoto();
        }
        Photo photo = new Photo();
        photo.id = memory.nextAssigned();
        return photo;
    }
}
