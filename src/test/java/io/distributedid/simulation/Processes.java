package io.distributedid.simulation;

import io.distributedid.DistributedIdException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Parts of a run: processes that take ids, and what happens to them. */
final class Processes {

    private static final int ATTEMPTS = 4;

    private Processes() {}

    /**
     * A process that opens the sequences and takes ids.
     *
     * @param number of the process
     * @param servers its list
     * @param threads that take ids at once
     * @param ids of each thread
     * @param size ids of one call
     * @param sequences how many it opens
     * @param lives how often it is started, and closed before the next start
     * @param closesEarly whether it is closed while threads take ids
     */
    record Takes(
            int at,
            int number,
            List<Integer> servers,
            int threads,
            int ids,
            long size,
            int sequences,
            boolean prepares,
            int lives,
            boolean closesEarly)
            implements Part {

        @Override
        public Host host(Scene scene) {
            return scene.host(number);
        }

        @Override
        public void play(Scene scene) {
            play(scene, Side.FIRST);
        }

        /** Starts the process from another part. */
        void start(Scene scene, Side side) {
            World.Task unused = scene.world().start(host(scene), "Takes", () -> play(scene, side));
        }

        void play(Scene scene, Side side) {
            if (!scene.listed(servers).equals(scene.listed())) {
                scene.judge().allow(Rule.OTHER_LIST, Rule.OTHER_PLACE);
            }
            for (int life = 1; life <= lives; life++) {
                scene.awaitStart();
                Application application =
                        new Application(scene, scene.world().current().host(), scene.listed(servers), side);
                if (opens(scene, application)) {
                    if (scene.world().once(3)) {
                        Part.pause(scene, scene.world().random(300));
                    }
                    take(scene, application, life);
                }
                if (life < lives || closesEarly) {
                    application.close();
                }
            }
        }

        private List<String> names(Scene scene) {
            return scene.setup().names().subList(0, sequences);
        }

        private boolean opens(Scene scene, Application application) {
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                try {
                    application.open(names(scene), prepares);
                    return true;
                } catch (DistributedIdException e) {
                    application.failed(scene.setup().names().get(0), e);
                    Part.pause(scene, 200);
                }
            }
            return false;
        }

        private void take(Scene scene, Application application, int life) {
            int[] left = {threads};
            for (int i = 1; i < threads; i++) {
                String name = "thread " + i;
                World.Task unused = scene.world().start(application.host(), name, () -> {
                    takeAll(scene, application, application + " life " + life + " " + name);
                    left[0]--;
                });
            }
            takeAll(scene, application, application + " life " + life + " thread 0");
            left[0]--;
            if (!closesEarly) {
                boolean unused = scene.world().await(() -> left[0] == 0, Long.MAX_VALUE, false);
            }
        }

        private void takeAll(Scene scene, Application application, String thread) {
            List<String> names = names(scene);
            for (int i = 0; i < ids; i++) {
                String name = names.get(names.size() == 1 ? 0 : scene.world().random(names.size()));
                boolean taken = size == 1 ? application.take(thread, name) : application.take(thread, name, size);
                if (!taken && scene.world().once(2)) {
                    Part.pause(scene, 100);
                }
                if (scene.world().once(10)) {
                    scene.world().sleep(scene.world().random(0, 60_000_000));
                }
            }
        }

        @Override
        public String toString() {
            return "process " + number + " with servers " + servers + " takes " + ids + " times " + size + " id(s) of "
                    + sequences + " sequence(s) on "
                    + threads + " thread(s)" + (prepares ? ", all sequences prepared together" : "")
                    + (lives > 1 ? ", and is started " + lives + " times" : "")
                    + (closesEarly ? ", and is closed when the first thread has them" : "");
        }
    }

    /**
     * A process of a shard with a database of its own takes ids. With the list of merged counters it takes none unless
     * that database remembers a place: it would begin a shard of its own, with the ids of any other.
     */
    record TakesApart(Takes takes, Side side) implements Part {

        @Override
        public int at() {
            return takes.at();
        }

        @Override
        public Host host(Scene scene) {
            return takes.host(scene);
        }

        @Override
        public void play(Scene scene) {
            if (side.isMerged() && !takes.names(scene).stream().allMatch(scene.places(side)::isRemembered)) {
                return;
            }
            takes.play(scene, side);
        }

        @Override
        public String toString() {
            return side + ": " + takes;
        }
    }

    /** A process is killed. */
    record Killed(int at, int number) implements Part {

        @Override
        public void play(Scene scene) {
            scene.world().log(() -> "kills process " + number);
            scene.kill(number);
        }

        @Override
        public String toString() {
            return "process " + number + " is killed";
        }
    }

    /** A process stands still. */
    record Stands(int at, int number, int millis) implements Part {

        @Override
        public void play(Scene scene) {
            scene.world().log(() -> "pauses process " + number + " for " + millis + " ms");
            scene.host(number).pause(Duration.ofMillis(millis));
        }

        @Override
        public String toString() {
            return "process " + number + " stands still for " + millis + " ms";
        }
    }

    /** A process raises the counters above an id that exists, somewhat above all that were given. */
    record Raises(int at, int number, int by) implements Part {

        @Override
        public void play(Scene scene) {
            List<Application> all = new ArrayList<>(scene.applications());
            all.removeIf(each -> each.host() != scene.host(number));
            for (Application each : all) {
                raise(scene, each);
            }
        }

        private void raise(Scene scene, Application application) {
            World.Task unused = scene.world().start(application.host(), "raise", () -> {
                scene.setup().names().stream()
                        .filter(application::isOpen)
                        .forEach(name -> raise(scene, application, name));
            });
        }

        private void raise(Scene scene, Application application, String name) {
            try {
                application.raise(name, scene.judge().highest(name) + by);
            } catch (DistributedIdException e) {
                scene.world().log(() -> "does not raise: " + e.getMessage());
                scene.judge().failed(name, e);
            }
        }

        @Override
        public String toString() {
            return "process " + number + " raises the counters above an id that exists, " + by
                    + " above the highest that was given";
        }
    }

    /** An address of a process leads to another server for a while. */
    record GoesAstray(int at, int number, int place, boolean toEmpty, long ahead, int millis) implements Part {

        @Override
        public void play(Scene scene) {
            if (!scene.isUsedEverywhere()) {
                return;
            }
            scene.judge()
                    .allow(
                            Rule.OTHER_SPACE,
                            Rule.EMPTY_SERVER,
                            Rule.OTHER_PLACE,
                            Rule.FAR_AHEAD,
                            Rule.ALONE_AND_BACK,
                            Rule.OTHER_LIST);
            MemoryServer other = toEmpty ? Foreign.empty(scene) : Foreign.used(scene, place, ahead);
            for (Application each : List.copyOf(scene.applications())) {
                if (each.host() == scene.host(number)) {
                    Address address = each.address(place);
                    MemoryServer right = address.server();
                    scene.world().log(() -> "leads " + each + " to " + other + " instead of " + right);
                    address.leadTo(other);
                    right.breakConnections();
                    Part.pause(scene, millis);
                    scene.world().log(() -> "leads " + each + " to " + right + " again");
                    address.leadTo(right);
                    other.breakConnections();
                }
            }
        }

        @Override
        public String toString() {
            return "process " + number + " finds " + (toEmpty ? "an empty server" : "a server of another id space")
                    + " in place " + place + " for " + millis + " ms";
        }
    }
}
