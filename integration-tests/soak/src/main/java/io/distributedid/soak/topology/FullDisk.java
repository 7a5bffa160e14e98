package io.distributedid.soak.topology;

import java.util.Set;
import java.util.SplittableRandom;

/** Nothing more can be written where the data of a server are, for a while. */
record FullDisk(SmallDisk disk, Node node) implements Topology.Special {

    @Override
    public String happen(int lastsMillis, SplittableRandom random) throws Exception {
        disk.fill();
        try {
            Thread.sleep(lastsMillis);
        } finally {
            disk.free();
        }
        boolean isWaiting = node.server().isRunning();
        if (isWaiting) {
            // It would look again after a minute.
            node.server().kill9();
        }
        node.restart();
        return node + (isWaiting ? ", which waited, and was killed" : ", which ended by itself");
    }

    @Override
    public Set<String> down() {
        return Set.of(node.name());
    }
}
