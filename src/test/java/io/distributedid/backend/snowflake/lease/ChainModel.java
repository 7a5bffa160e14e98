package io.distributedid.backend.snowflake.lease;

import io.distributedid.testkit.Explorer;
import io.distributedid.testkit.Explorer.Step;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can happen to a few processes that replace one file by {@link FileChain} itself, without any lock.
 * Each access to a file is a step. Between two steps a process may be suspended for any time, and it may die after any
 * step.
 *
 * <p>The real chain runs: it is run anew for each step, gets the answers that it has had so far, and stops at the next
 * access, which is the step.
 *
 * <p>Two files in the place of one are a violation, if each of them was taken for true by somebody: its author was told
 * that it was done, or anybody has read it. So is a file that nobody finds any more, and a number in {@code S.before}
 * that goes back.
 *
 * @param turns how often some process looks at the file and replaces it
 */
record ChainModel(int processes, int turns, Fault fault) {

    /** What is broken on purpose. */
    enum Fault {
        NONE,
        /** A link takes the place of the file that has the name. */
        LINK_REPLACES,
        /** The number in {@code S.before} is not read after the link. */
        NOT_LOOKED_AFTER_THE_LINK,
        /** The number in {@code S.before} is not read again after a look. */
        NOT_LOOKED_TWICE,
        /** A replaced file is deleted, and not kept as {@code S.before}. */
        DELETED_INSTEAD_OF_KEPT,
        /** A file is replaced although the one before it may not be {@code S.before} yet. */
        NOT_RETIRED_FIRST,
        /** {@code S.n} is renamed to {@code S.before}, whatever its content by then. */
        RENAMED_BY_NUMBER
    }

    /** @param answers to the accesses of its turn so far; empty if it has not begun */
    record Process(int turn, List<Object> answers) {

        static final Process IDLE = new Process(0, List.of());
    }

    /** @param behind of each file that somebody has taken for true: what it took the place of */
    record State(Map<String, String> files, List<Process> processes, int turns, Map<String, String> behind) {

        String key() {
            return files + " " + processes + " " + turns + " " + behind;
        }

        State with(int process, Process changed) {
            List<Process> all = new ArrayList<>(processes);
            all.set(process, changed);
            return new State(files, all, turns, behind);
        }
    }

    /** The next access. */
    private static final class Stopped extends RuntimeException {

        private static final long serialVersionUID = 1L;

        final transient Access access;

        Stopped(Access access) {
            super(null, null, false, false);
            this.access = access;
        }
    }

    private interface Access {

        Object on(Map<String, String> files);
    }

    /** The result of a run of the chain. */
    private static final class Run {

        final Map<String, String> takenForTrue = new TreeMap<>();

        @Nullable
        Access access;

        String said = "";

        String violation;
    }

    Explorer.Result explore() {
        State empty = new State(Map.of(), Collections.nCopies(processes, Process.IDLE), 0, Map.of());
        return new Explorer<>(this::next, State::key).explore(empty);
    }

    private List<Step<State>> next(State state) {
        List<Step<State>> steps = new ArrayList<>();
        boolean newcomer = true;
        for (int process = 0; process < processes; process++) {
            Process who = state.processes.get(process);
            if (who.answers.isEmpty()) {
                // Idle processes are alike.
                if (newcomer && state.turns < turns) {
                    State begun = new State(state.files, state.processes, state.turns + 1, state.behind);
                    steps.add(step(begun, process, new Process(state.turns + 1, List.of())));
                }
                newcomer = false;
            } else {
                steps.add(step(state, process, who));
                int dead = process;
                steps.add(new Step<>(() -> name(dead) + " dies", state.with(process, Process.IDLE), null));
            }
        }
        return steps;
    }

    private Step<State> step(State state, int process, Process who) {
        Access access = run(who).access;
        if (access == null) {
            throw new IllegalStateException("It has ended before");
        }
        Map<String, String> files = new TreeMap<>(state.files);
        List<Object> answers = new ArrayList<>(who.answers);
        answers.add(access.on(files));
        Process after = new Process(who.turn, answers);
        Run run = run(after);
        Map<String, String> behind = new TreeMap<>(state.behind);
        String violation = floor(files) < floor(state.files) ? "The number in S.before goes back" : run.violation;
        for (Map.Entry<String, String> each : run.takenForTrue.entrySet()) {
            for (Map.Entry<String, String> other : behind.entrySet()) {
                if (other.getValue().equals(each.getValue()) && !other.getKey().equals(each.getKey())) {
                    violation = each.getKey() + " and " + other.getKey() + " both took the place of "
                            + (each.getValue().isEmpty() ? "nothing" : each.getValue());
                }
            }
            behind.put(each.getKey(), each.getValue());
        }
        State next = new State(files, state.processes, state.turns, behind)
                .with(process, run.access == null ? Process.IDLE : after);
        return new Step<>(
                () -> name(process) + " " + access + ": "
                        + answers.get(answers.size() - 1)
                                .toString()
                                .lines()
                                .findFirst()
                                .orElse("nothing") + run.said,
                next,
                violation);
    }

    private static long floor(Map<String, String> files) {
        String before = files.get("before");
        return before == null
                ? 0
                : ChainFile.decode(before.getBytes(StandardCharsets.UTF_8))
                        .orElseThrow()
                        .number();
    }

    private static String name(int process) {
        return String.valueOf((char) ('A' + process));
    }

    /** A turn from its begin to the first access that has no answer yet. */
    private Run run(Process who) {
        Run run = new Run();
        Replay folder = new Replay(who.answers, fault);
        FileChain chain = new FileChain(folder, Path.of("S"));
        try {
            FileChain.Seen seen = chain.look();
            folder.hasLooked = true;
            ChainFile last = seen.last();
            if (last.number() > 0) {
                run.takenForTrue.put(last.id(), last.of());
            }
            String id = "file" + who.turn;
            // What it takes the place of stands where its owner does otherwise.
            if (chain.replace(seen, new ChainFile(last.number() + 1, id, last.id(), null, Map.of()))) {
                run.takenForTrue.put(id, last.id());
                run.said = ", and is told that it was done";
            } else {
                run.said = ", and is told that others were faster";
            }
        } catch (Stopped e) {
            run.access = e.access;
        } catch (WorkerStoreException | IOException | RuntimeException e) {
            run.said = ", and is told: " + e.getMessage();
            run.violation = String.valueOf(e.getMessage()).startsWith("Others have replaced") ? null : run.said;
        }
        return run;
    }

    /** Gives the known answers, and stops at the first access without one. */
    private static final class Replay implements Folder {

        private final List<Object> answers;

        private final Fault fault;

        private int next;

        private boolean hasLooked;

        private int floors;

        private Object floor;

        private boolean hasWritten;

        private boolean hasLinked;

        private boolean retireSkipped;

        Replay(List<Object> answers, Fault fault) {
            this.answers = answers;
            this.fault = fault;
        }

        private Object answer(String said, Access access) {
            if (next < answers.size()) {
                return answers.get(next++);
            }
            throw new Stopped(new Access() {
                @Override
                public Object on(Map<String, String> files) {
                    return access.on(files);
                }

                @Override
                public String toString() {
                    return said;
                }
            });
        }

        @Override
        public Optional<byte[]> read(String name) {
            boolean again = name.equals("before") && floors++ % 2 == 1 && !hasLooked;
            boolean afterLink = name.equals("before") && hasLinked;
            if ((again && fault == Fault.NOT_LOOKED_TWICE) || (afterLink && fault == Fault.NOT_LOOKED_AFTER_THE_LINK)) {
                return bytes(floor);
            }
            if (retireSkipped) {
                retireSkipped = false;
                return Optional.of(new ChainFile(Long.MAX_VALUE, "", "", null, Map.of()).encode());
            }
            Object found = answer("reads S." + name, files -> files.getOrDefault(name, ""));
            if (name.equals("before")) {
                floor = found;
            }
            return bytes(found);
        }

        private static Optional<byte[]> bytes(Object text) {
            return text.equals("")
                    ? Optional.empty()
                    : Optional.of(text.toString().getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void create(String name, byte[] content) {
            hasWritten = true;
            Object unused = answer("writes S." + name, files -> {
                files.put(name, new String(content, StandardCharsets.UTF_8));
                return "";
            });
        }

        @Override
        public boolean link(String file, String name) {
            boolean done = (boolean) answer("links S." + file + " to S." + name, files -> {
                if (files.containsKey(name) && fault != Fault.LINK_REPLACES) {
                    return false;
                }
                files.put(name, files.get(file));
                return true;
            });
            hasLinked = done;
            return done;
        }

        @Override
        public void rename(String file, String name) {
            if (fault == Fault.NOT_RETIRED_FIRST && !hasWritten) {
                retireSkipped = true;
                return;
            }
            String source = fault == Fault.RENAMED_BY_NUMBER ? file.substring(0, file.indexOf('.')) : file;
            Object unused = answer("renames S." + source + " to S." + name, files -> {
                String content = files.remove(source);
                if (content != null && fault != Fault.DELETED_INSTEAD_OF_KEPT) {
                    files.put(name, content);
                }
                return "";
            });
        }

        @Override
        public void delete(String name) {
            Object unused = answer("deletes S." + name, files -> {
                files.remove(name);
                return "";
            });
        }

        /** No other process sees it. */
        @Override
        public void force() {}

        @Override
        public List<String> names() {
            throw new UnsupportedOperationException();
        }
    }
}
