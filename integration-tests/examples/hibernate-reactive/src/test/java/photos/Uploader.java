package photos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A process that inserts rows, several transactions at a time. */
final class Uploader {

    private static final int ROWS = 500;

    private static final int AT_ONCE = 4;

    private Uploader() {}

    /** {@code arguments}: URL, user, rows in all. */
    public static void main(String[] arguments) {
        Map<String, String> settings = Map.of(
                "jakarta.persistence.jdbc.url", arguments[0],
                "jakarta.persistence.jdbc.user", arguments[1],
                "hibernate.hbm2ddl.auto", "none");
        int transactions = Integer.parseInt(arguments[2]) / ROWS;
        try (PhotoSite site = new PhotoSite(settings)) {
            List<CompletableFuture<Void>> running = new ArrayList<>();
            for (int i = 0; i < transactions; i++) {
                if (running.size() == AT_ONCE) {
                    running.remove(0).join();
                }
                running.add(site.upload(rows()).toCompletableFuture());
            }
            running.forEach(CompletableFuture::join);
        }
        System.out.println("done");
    }

    private static List<Import> rows() {
        List<Import> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(new Import(null, "process " + ProcessHandle.current().pid()));
        }
        return rows;
    }
}
