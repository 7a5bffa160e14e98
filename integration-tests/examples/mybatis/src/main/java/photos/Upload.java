package photos;

import java.util.List;
import java.util.stream.Stream;

/** A process that uploads photos: {@code photos.Upload URL BATCHES}. */
public final class Upload {

    static final int BATCH = 500;

    private Upload() {}

    public static void main(String[] args) {
        try (PhotoDatabase database = new PhotoDatabase(args[0])) {
            for (int batch = 0; batch < Integer.parseInt(args[1]); batch++) {
                database.upload(photos());
            }
        }
    }

    static List<Photo> photos() {
        return Stream.generate(() -> new Photo("sunset")).limit(BATCH).toList();
    }
}
