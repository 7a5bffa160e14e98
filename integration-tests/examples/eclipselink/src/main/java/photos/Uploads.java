package photos;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.util.Map;

/** Uploads photos: {@code java photos.Uploads URL USER COUNT}. Any number of such processes may run at once. */
public final class Uploads {

    private static final int TOGETHER = 500;

    private Uploads() {}

    /** Persists photos in transactions of 500, then prints how many. */
    public static void main(String[] arguments) {
        int count = Integer.parseInt(arguments[2]);
        Map<String, String> database =
                Map.of("jakarta.persistence.jdbc.url", arguments[0], "jakarta.persistence.jdbc.user", arguments[1]);
        try (EntityManagerFactory factory = Persistence.createEntityManagerFactory("photos", database)) {
            for (int from = 0; from < count; from += TOGETHER) {
                upload(factory, Math.min(TOGETHER, count - from));
            }
        }
        System.out.println("Uploaded " + count);
    }

    static void upload(EntityManagerFactory factory, int count) {
        try (EntityManager manager = factory.createEntityManager()) {
            manager.getTransaction().begin();
            Album album = new Album();
            manager.persist(album);
            for (int i = 0; i < count; i++) {
                Photo photo = new Photo("photo " + i + " of album " + album.id());
                manager.persist(photo);
            }
            manager.getTransaction().commit();
        }
    }
}
