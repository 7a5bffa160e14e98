package photos;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.data.annotation.CreatedDate;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.LastModifiedDate;
import org.springframework.data.annotation.Transient;
import org.springframework.data.annotation.Version;
import org.springframework.data.domain.Persistable;

/** Aggregates of all the kinds that get ids. They have no {@code @Table}: a test says which ones the start knows. */
final class Entities {

    static final String[] TABLES = {
        "CREATE TABLE mutable (id BIGINT PRIMARY KEY, title VARCHAR(50) UNIQUE)",
        "CREATE TABLE primitive (id BIGINT PRIMARY KEY, title VARCHAR(50))",
        "CREATE TABLE narrow (id INT PRIMARY KEY, title VARCHAR(50))",
        "CREATE TABLE wide (id DECIMAL(38) PRIMARY KEY, title VARCHAR(50))",
        "CREATE TABLE text (id VARCHAR(19) PRIMARY KEY, title VARCHAR(50))",
        "CREATE TABLE padded (id VARCHAR(19) PRIMARY KEY, title VARCHAR(50))",
        "CREATE TABLE immutable (id BIGINT PRIMARY KEY, title VARCHAR(50))",
        "CREATE TABLE by_getter (id BIGINT PRIMARY KEY, title VARCHAR(50))",
        "CREATE TABLE versioned (id BIGINT PRIMARY KEY, version BIGINT, title VARCHAR(50))",
        "CREATE TABLE audited (id BIGINT PRIMARY KEY, created TIMESTAMP WITH TIME ZONE,"
                + " modified TIMESTAMP WITH TIME ZONE)",
        "CREATE TABLE strict (id BIGINT PRIMARY KEY)",
        "CREATE TABLE imported (id BIGINT PRIMARY KEY)",
        "CREATE TABLE numbered (id BIGINT PRIMARY KEY, number BIGINT NOT NULL, title VARCHAR(50))",
        "CREATE TABLE album (id BIGINT PRIMARY KEY)",
        "CREATE TABLE picture (id BIGINT PRIMARY KEY, album BIGINT, album_key INT, title" + " VARCHAR(50))",
        "CREATE TABLE tag (id BIGINT PRIMARY KEY, album BIGINT, picture BIGINT, word VARCHAR(50))",
        "CREATE TABLE guest (id BIGINT PRIMARY KEY, album BIGINT, album_key VARCHAR(50), name" + " VARCHAR(50))"
    };

    private Entities() {}

    static class Mutable {

        @Id
        @DistributedId(seq = "mutables")
        Long id;

        String title;

        Mutable(String title) {
            this.title = title;
        }
    }

    static class Primitive {

        @Id
        @DistributedId(seq = "primitives")
        long id;

        String title = "sunset";
    }

    static class Narrow {

        @Id
        @DistributedId(seq = "narrows")
        Integer id;

        String title = "sunset";
    }

    static class Wide {

        @Id
        @DistributedId(seq = "wides")
        BigInteger id;

        String title = "sunset";
    }

    /** Its sequence is named after the table. */
    static class Text {

        @Id
        @DistributedId
        String id;

        String title = "sunset";
    }

    record Padded(
            @Id @DistributedId(seq = "padded", padded = true)
            String id,

            String title) {}

    record Immutable(@Id @DistributedId(seq = "immutables") Long id, String title) {}

    static class ByGetter {

        private Long id;

        String title = "sunset";

        @Id
        @DistributedId(seq = "getters")
        public Long getId() {
            return id;
        }

        public void setId(Long id) {
            this.id = id;
        }
    }

    static class Versioned {

        @Id
        @DistributedId(seq = "versioned")
        Long id;

        @Version
        Long version;

        String title = "sunset";
    }

    static class Audited {

        @Id
        @DistributedId(seq = "audited")
        Long id;

        @CreatedDate
        Instant created;

        @LastModifiedDate
        Instant modified;
    }

    /** Says itself that it is new. */
    abstract static class SaysItself implements Persistable<Long> {

        @Transient
        boolean isStored;

        @Override
        public boolean isNew() {
            return !isStored;
        }
    }

    static class Strict extends SaysItself {

        @Id
        @DistributedId(seq = "stricts")
        Long id;

        @Override
        public Long getId() {
            return id;
        }
    }

    static class Imported extends SaysItself {

        @Id
        @DistributedId(seq = "imported", assigned = true)
        Long id;

        @Override
        public Long getId() {
            return id;
        }
    }

    record Numbered(
            @Id @DistributedId(seq = "numbered") Long id,
            @DistributedValue(seq = "numbers") Long number,
            String title) {}

    /** With parts in a list, a set and a map, of immutable and mutable classes. */
    static class Album {

        @Id
        @DistributedId(seq = "albums")
        Long id;

        List<Picture> picture = new ArrayList<>();

        Set<Tag> tag = Set.of();

        Map<String, Guest> guest = new LinkedHashMap<>();
    }

    record Picture(@Id @DistributedId(seq = "pictures") Long id, String title, Set<Tag> tag) {}

    record Tag(@Id @DistributedId(seq = "tags") Long id, String word) {}

    static class Guest {

        @Id
        @DistributedId(seq = "guests")
        Long id;

        String name;

        Guest(String name) {
            this.name = name;
        }
    }
}
