package contender;

import io.distributedid.DistributedId;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/** The rows of both contenders of Spring Data. */
final class SpringPhotos {

    /** Its id comes from the application. */
    @Table(Memory.TABLE)
    static class Photo {

        @Id
        Long id;

        String title = Mapper.TITLE;
    }

    /** Its id comes from the callback. */
    @Table(Memory.TABLE)
    static class GeneratedPhoto {

        @Id
        @DistributedId(seq = Memory.TABLE)
        Long id;

        String title = Mapper.TITLE;
    }

    private SpringPhotos() {}

    /** An object that has no row yet. */
    static Object next(Side side, Memory memory) {
        if (side == Side.OURS) {
            return new GeneratedPhoto();
        }
        Photo photo = new Photo();
        photo.id = memory.nextAssigned();
        return photo;
    }
}
