package photos;

import io.distributedid.hibernate.DistributedIdService;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManagerFactory;

/** Uploads a photo, one that is refused, another, and a comment. */
@QuarkusMain
public class Main implements QuarkusApplication {

    private final Uploads uploads;

    private final EntityManagerFactory factory;

    @Inject
    Main(Uploads uploads, EntityManagerFactory factory) {
        this.uploads = uploads;
        this.factory = factory;
    }

    @Override
    public int run(String... arguments) {
        System.out.println("photo=" + uploads.photo("sunset").id);
        try {
            uploads.refused("blurred");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("photo=" + uploads.photo("sunrise").id);
        System.out.println(
                "comment=" + DistributedIdService.of(factory).decode(Comment.class, uploads.comment("nice").id));
        return 0;
    }
}
