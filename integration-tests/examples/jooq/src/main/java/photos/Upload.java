package photos;

import org.postgresql.ds.PGSimpleDataSource;

/** A process that uploads photos: {@code photos.Upload URL BATCHES}. */
public final class Upload {

    static final int BATCH = 500;

    private Upload() {}

    public static void main(String[] args) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setURL(args[0]);
        try (PhotoDatabase database = new PhotoDatabase(dataSource)) {
            for (int batch = 0; batch < Integer.parseInt(args[1]); batch++) {
                database.upload("sunset", BATCH);
            }
        }
    }
}
