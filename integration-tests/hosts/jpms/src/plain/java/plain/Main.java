package plain;

import io.distributedid.DistributedIds;
import java.util.Map;

/** Takes an id where nothing but the library is on the module path. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        Map<String, String> settings =
                Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "7");
        try (DistributedIds ids = DistributedIds.create(settings)) {
            long id = ids.next("photos");
            if (!DistributedIds.class.getModule().isNamed()) {
                throw new IllegalStateException("on the class path: " + DistributedIds.class);
            }
            if (ids.decode("photos", id).field("worker") != 7) {
                throw new IllegalStateException("id=" + id);
            }
            System.out.println("Issued " + ids.decode("photos", id) + " by " + DistributedIds.class.getModule());
        }
    }
}
