package benchmarks.persist;

import io.distributedid.DistributedId;
import io.hypersistence.utils.hibernate.id.Tsid;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.TableGenerator;
import java.util.UUID;
import org.hibernate.annotations.UuidGenerator;

/** The same small entity with an id of each kind; its table is always called {@value #TABLE}. */
final class Rows {

    static final String TABLE = "photo";

    private Rows() {}

    /** What is stored besides the id. */
    @MappedSuperclass
    abstract static class Row {

        @Column(length = 100)
        private String title = "A photo of something that was there";

        private long owner;

        void ownedBy(long newOwner) {
            owner = newOwner;
        }
    }

    @Entity(name = TABLE)
    static class Assigned extends Row {

        @Id
        private long id;

        @Override
        void ownedBy(long newOwner) {
            super.ownedBy(newOwner);
            id = newOwner;
        }
    }

    @Entity(name = TABLE)
    static class FromMemory extends Row {

        @Id
        @Counted
        private Long id;
    }

    @Entity(name = TABLE)
    static class WithClock extends Row {

        @Id
        @Counted(clock = true)
        private Long id;
    }

    @Entity(name = TABLE)
    static class Ours extends Row {

        @Id
        @DistributedId
        private Long id;
    }

    @Entity(name = TABLE)
    static class Identity extends Row {

        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        private Long id;
    }

    @Entity(name = TABLE)
    static class Sequence50 extends Row {

        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "s")
        @SequenceGenerator(name = "s", allocationSize = 50)
        private Long id;
    }

    @Entity(name = TABLE)
    static class Table50 extends Row {

        @Id
        @GeneratedValue(strategy = GenerationType.TABLE, generator = "t")
        @TableGenerator(name = "t", allocationSize = 50)
        private Long id;
    }

    @Entity(name = TABLE)
    static class UuidV7 extends Row {

        @Id
        @UuidGenerator(style = UuidGenerator.Style.VERSION_7)
        private UUID id;
    }

    @Entity(name = TABLE)
    static class TsidRow extends Row {

        @Id
        @Tsid
        private Long id;
    }
}
