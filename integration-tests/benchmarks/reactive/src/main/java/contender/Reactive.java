package contender;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.util.EnumMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Measures Hibernate Reactive: {@code java contender.Reactive SEED SECONDS ROUNDS}. */
public final class Reactive {

    private Reactive() {}

    /** Ends the process, with the server and the threads of Vert.x. */
    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("").setLevel(Level.SEVERE);
        EmbeddedPostgres server =
                EmbeddedPostgres.builder().setServerConfig("fsync", "off").start();
        Map<Side, Turns.Contender> contenders = new EnumMap<>(Side.class);
        for (Side side : Side.values()) {
            ReactiveMapper mapper = new ReactiveMapper(server, side);
            contenders.put(side, new Turns.Contender(mapper, mapper));
        }
        new Turns(contenders).run(arguments);
        System.exit(0);
    }
}
