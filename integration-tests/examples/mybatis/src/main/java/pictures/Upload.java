package pictures;

import java.util.List;
import java.util.stream.Stream;

/** A process that uploads pictures: {@code pictures.Upload URL BATCHES}. */
public final class Upload {

    static final int BATCH = 500;

    private Upload() {}

    public static void main(String[] args) {
        try (PictureDatabase database = new PictureDatabase(args[0])) {
            for (int batch = 0; batch < Integer.parseInt(args[1]); batch++) {
                database.upload(pictures());
            }
        }
    }

    static List<Picture> pictures() {
        return Stream.generate(() -> new Picture("sunset")).limit(BATCH).toList();
    }
}
