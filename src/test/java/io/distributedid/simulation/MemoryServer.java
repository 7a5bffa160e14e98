package io.distributedid.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * A database in memory with tables of counters, and what is remembered beside them. Parts of a {@link Scenario} do to
 * it what happens to real ones.
 */
final class MemoryServer {

    /** Older copies that a replica or a backup may have. */
    private static final int MOST_COPIES = 60;

    private final String name;

    private final long increment;

    private final long offset;

    private LedgerContent content;

    /** What was committed, the newest last. */
    private final List<LedgerContent> copies = new ArrayList<>();

    private String identity;

    private int identities = 1;

    private boolean isUp = true;

    /** It takes requests and sends no answers. */
    private boolean isHanging;

    private boolean isReadOnly;

    /** What reads see lies back so many commits, at most. */
    private int staleBy;

    /** Connections of an older one are broken. */
    private int epoch;

    /** {@code increment} and {@code offset} are what the server numbers by, if it does so by itself. */
    MemoryServer(String name, long increment, long offset, LedgerContent content) {
        this.name = name;
        this.increment = increment;
        this.offset = offset;
        this.identity = name + "-1";
        this.content = content;
        copies.add(content);
    }

    long increment() {
        return increment;
    }

    long offset() {
        return offset;
    }

    LedgerContent content() {
        return content;
    }

    /** A change within a request, or one that is undone. */
    void put(LedgerContent changed) {
        content = changed;
    }

    /** What is stored now is durable. */
    void committed() {
        if (copies.get(copies.size() - 1) != content) {
            if (copies.size() == MOST_COPIES) {
                copies.remove(0);
            }
            copies.add(content);
        }
    }

    /** What was stored so many commits ago, or at the first one that is known. */
    LedgerContent copy(int commitsAgo) {
        return copies.get(Math.max(0, copies.size() - 1 - commitsAgo));
    }

    String identity() {
        return identity;
    }

    /** Whether no replica has taken its place yet. */
    boolean isOriginal() {
        return identities == 1;
    }

    boolean isUp() {
        return isUp;
    }

    boolean isHanging() {
        return isHanging;
    }

    boolean isReadOnly() {
        return isReadOnly;
    }

    /** Whether it does all that it is asked for. */
    boolean isWell() {
        return isUp && !isHanging && !isReadOnly && staleBy == 0;
    }

    int epoch() {
        return epoch;
    }

    void breakConnections() {
        epoch++;
    }

    void stop() {
        isUp = false;
        breakConnections();
    }

    /** It is as it should be again. */
    void start() {
        isUp = true;
        isHanging = false;
        isReadOnly = false;
    }

    void hang(boolean hangs) {
        isHanging = hangs;
    }

    void readOnly(boolean is) {
        isReadOnly = is;
    }

    int staleBy() {
        return staleBy;
    }

    /** Reads outside of transactions see what was stored some commits ago, as those of a replica do. */
    void readStale(int commits) {
        staleBy = commits;
    }

    /** SQL of somebody else. */
    void change(LedgerContent changed) {
        content = changed;
        committed();
    }

    /** A replica takes its place. */
    void failOver(LedgerContent replica) {
        breakConnections();
        content = replica;
        committed();
        identities++;
        identity = name + "-" + identities;
    }

    @Override
    public String toString() {
        return name;
    }
}
