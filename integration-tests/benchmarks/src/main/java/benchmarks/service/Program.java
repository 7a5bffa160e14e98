package benchmarks.service;

import benchmarks.http.ServerCommand;
import java.util.List;

/** What answers requests. Each program has a class path of its own, and says at its start where it listens. */
enum Program {
    /** As it is delivered. Counts on H2, in files. */
    SERVICE {
        @Override
        List<String> command(List<String> settings) {
            return ServerCommand.ids(List.of(SEQUENCE, TABLE), settings);
        }
    },
    /** The same Vert.x, and nothing else. */
    BARE {
        @Override
        List<String> command(List<String> settings) {
            return ServerCommand.java(
                    BareServer.class.getName(), ServerCommand.SERVICE, ServerCommand.locationOf(BareServer.class));
        }
    },
    /** Tomcat, with the defaults of Spring Boot. */
    SPRING {
        @Override
        List<String> command(List<String> settings) {
            return ServerCommand.java(
                    "contender.SpringServer",
                    ServerCommand.HOME.resolve("spring/target/spring/*").toString());
        }
    };

    /** For requests. */
    static final String SEQUENCE = "photos";

    /** For entities, whose sequence has the name of their table. */
    private static final String TABLE = "photo";

    /**
     * The command that starts it.
     *
     * @param settings of the issuing service, {@code NAME=VALUE}; others have none
     */
    abstract List<String> command(List<String> settings);
}
