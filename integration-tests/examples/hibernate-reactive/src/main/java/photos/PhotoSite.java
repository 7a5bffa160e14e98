package photos;

import jakarta.persistence.Persistence;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.hibernate.reactive.stage.Stage;

/** Uploads photos on event loops. */
public final class PhotoSite implements AutoCloseable {

    private final Stage.SessionFactory sessions;

    /** Waits for servers: call it, and {@link #close}, on no event loop. */
    public PhotoSite(Map<String, ?> settings) {
        sessions = Persistence.createEntityManagerFactory("photos", settings).unwrap(Stage.SessionFactory.class);
    }

    public Stage.SessionFactory sessions() {
        return sessions;
    }

    /** Persists entities in one transaction. The result comes after its commit. */
    public CompletionStage<Void> upload(List<?> entities) {
        return sessions.withTransaction(session -> session.persist(entities.toArray()));
    }

    @Override
    public void close() {
        sessions.close();
    }
}
