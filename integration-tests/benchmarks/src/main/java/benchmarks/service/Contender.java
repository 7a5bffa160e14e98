package benchmarks.service;

import benchmarks.Chart.Side;
import benchmarks.http.RequestPath;

/** What is asked of which program. Apart from the batch, all requests are the same. */
enum Contender {
    SINGLE("issuing service", Program.SERVICE, 1),
    BATCH100("issuing service, 100 ids a request", Program.SERVICE, 100),
    BARE("Vert.x, the same answer always", Program.BARE, 1),
    SPRING("Spring Boot, AtomicLong", Program.SPRING, 1);

    final String label;

    final Program program;

    /** In each answer. */
    final int ids;

    Contender(String label, Program program, int ids) {
        this.label = label;
        this.program = program;
        this.ids = ids;
    }

    RequestPath path() {
        return RequestPath.of("/v1/sequences/" + Program.SEQUENCE + "/ids" + (ids == 1 ? "" : "?n=" + ids));
    }

    Side side() {
        return program == Program.SERVICE ? Side.OURS : Side.OTHER;
    }
}
