package photos;

import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.vertx.VertxContextSupport;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import java.util.function.Supplier;
import org.hibernate.reactive.mutiny.Mutiny;

/** Uploads a photo, one that is refused, and another. */
@QuarkusMain
public class Main implements QuarkusApplication {

    private final Mutiny.SessionFactory sessions;

    @Inject
    Main(Mutiny.SessionFactory sessions) {
        this.sessions = sessions;
    }

    @Override
    public int run(String... arguments) {
        System.out.println("photo=" + await(() -> upload("sunset", false)).id);
        try {
            await(() -> upload("blurred", true));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("photo=" + await(() -> upload("sunrise", false)).id);
        return 0;
    }

    private Uni<Photo> upload(String words, boolean isRefused) {
        Photo photo = new Photo(words);
        return sessions.withTransaction(session -> session.persist(photo)
                        .call(session::flush)
                        .invoke(() -> {
                            if (isRefused) {
                                throw new IllegalArgumentException("Refused: " + photo.id);
                            }
                        }))
                .replaceWith(photo);
    }

    /** On an event loop, where Hibernate Reactive runs; this thread may wait. */
    private static <T> T await(Supplier<Uni<T>> work) {
        try {
            return VertxContextSupport.subscribeAndAwait(work);
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
