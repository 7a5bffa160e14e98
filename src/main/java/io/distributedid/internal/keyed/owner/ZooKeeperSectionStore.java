package io.distributedid.internal.keyed.owner;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.tenure.TenureRow;
import io.distributedid.internal.tenure.TenureStoreException;
import io.distributedid.internal.zookeeper.ZooKeeperNodes;
import io.distributedid.internal.zookeeper.ZooKeeperNodes.Change;
import io.distributedid.internal.zookeeper.ZooKeeperNodes.Node;
import io.distributedid.internal.zookeeper.ZooKeeperPlace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sections in ZooKeeper. The node {@code /distributedid/sections/messages/7} is the row of section 7 as
 * {@link SectionRowText}, and {@code /distributedid/sections/messages/-1} the record. Nodes depend on no session.
 *
 * <ul>
 *   <li><b>Reading</b> takes two trips: {@code sync} with the list of nodes, then their contents. A leader that was
 *       deposed may answer {@code sync} for a while, so that rows may be old then. They are never older than rows that
 *       this process has read or written before: a session does not go back, and a new one begins with an agreement of
 *       the majority. An old row does no harm as long as clocks keep the order: a request to replace it is refused, and
 *       a claimant waits from when it has seen the row. With {@code confirmed} order a read must prove that no other
 *       process has the section, so that it begins with a write.
 *   <li><b>Replacing</b> takes two trips too: the nodes are read; then those with the expected row, its token included,
 *       are set with the version that was just read, in the same session. A request that is delayed finds another
 *       version. A version that was kept from an earlier write is not enough: after a backup was restored, another
 *       process may have written the same version. Rows share transactions, each of which is done or refused as a
 *       whole.
 *   <li><b>The first rows</b> of a sequence are one transaction, which also creates the node above them. So it is done
 *       once, even if somebody has deleted the rows since.
 * </ul>
 */
final class ZooKeeperSectionStore implements SectionStore {

    private static final Pattern PLACE = Pattern.compile("-?\\d{1,9}");

    /** Less than ZooKeeper's {@code jute.maxbuffer}, by default 1,048,575. Larger requests end the connection. */
    private static final int MOST_BYTES = 1_000_000;

    /** What a new node takes beside its name, its content and the name of its owner. */
    private static final int NODE_BYTES = 80;

    private final ZooKeeperNodes<TenureStoreException> nodes;

    private final ZooKeeperPlace place;

    private final boolean isConfirmed;

    /**
     * Connects at the first call.
     *
     * @param place the parent of the sequences' nodes; created if missing
     * @param isConfirmed whether a read must be of the last rows even if the leader was deposed
     */
    ZooKeeperSectionStore(ZooKeeperPlace place, Duration timeout, boolean isConfirmed) {
        this.place = place;
        this.isConfirmed = isConfirmed;
        nodes = new ZooKeeperNodes<>(place, timeout, TenureStoreException::new);
    }

    private String node(String sequence) {
        return place.path() + "/" + sequence;
    }

    private String node(String sequence, int row) {
        return node(sequence) + "/" + row;
    }

    @Override
    public Map<Integer, TenureRow> read(String sequence) throws TenureStoreException, InterruptedException {
        List<String> names = nodes.children(node(sequence), isConfirmed);
        for (String name : names) {
            if (!PLACE.matcher(name).matches()) {
                throw new IdConfigurationException("A node is not one of the library: node=" + node(sequence) + "/"
                        + name + ", allowed: numbers. Delete it, or set another "
                        + "distributedid.keyed.section.path");
            }
        }
        List<Integer> places = names.stream().map(Integer::valueOf).toList();
        Map<String, Node> found = nodes.read(nodes(sequence, places));
        Map<Integer, TenureRow> rows = new HashMap<>();
        for (Integer each : places) {
            String node = node(sequence, each);
            Node known = found.get(node);
            if (known != null) {
                rows.put(each, row(node, known.content()));
            }
        }
        return rows;
    }

    private List<String> nodes(String sequence, List<Integer> places) {
        return places.stream().map(each -> node(sequence, each)).toList();
    }

    private TenureRow row(String node, String content) {
        return SectionRowText.parse(content)
                .orElseThrow(() -> new IdConfigurationException("A node holds no row of the library: node=" + node
                        + " on " + place.servers() + " content='" + content + "', allowed: " + SectionRowText.FORM
                        + ". Restore it; max_number must be above all numbers that were given"));
    }

    @Override
    public void create(String sequence, Map<Integer, TenureRow> rows)
            throws TenureStoreException, InterruptedException {
        List<Change> first = new ArrayList<>();
        first.add(new Change(node(sequence), "", null));
        rows.forEach((each, row) -> first.add(new Change(node(sequence, each), SectionRowText.of(row), null)));
        requireFit(sequence, first);
        boolean unused = nodes.create(place.path(), first);
    }

    private void requireFit(String sequence, List<Change> first) {
        int each = NODE_BYTES + place.credentials().map(String::length).orElse(0);
        int bytes = first.stream()
                .mapToInt(change -> change.node().length() + change.content().length() + each)
                .sum();
        if (bytes > MOST_BYTES) {
            throw new IdConfigurationException("The first rows of a sequence must fit a transaction of ZooKeeper: seq="
                    + sequence + " distributedid.keyed.section.sections=" + (first.size() - 2) + " "
                    + "distributedid.keyed.section.path=" + place.path() + " take " + bytes
                    + " bytes, allowed: " + MOST_BYTES + ". Set a shorter path, or fewer sections");
        }
    }

    @Override
    public List<Boolean> write(String sequence, List<Write> writes) throws TenureStoreException, InterruptedException {
        List<Integer> replaced = writes.stream()
                .filter(each -> each.request().expected() != null)
                .map(Write::place)
                .toList();
        List<Integer> sent = new ArrayList<>();
        List<Boolean> results = nodes.change(nodes(sequence, replaced), found -> {
            List<Change> changes = new ArrayList<>();
            for (int i = 0; i < writes.size(); i++) {
                Change change = change(sequence, writes.get(i), found);
                if (change != null) {
                    sent.add(i);
                    changes.add(change);
                }
            }
            return changes;
        });
        List<Boolean> done = new ArrayList<>(Collections.nCopies(writes.size(), false));
        for (int i = 0; i < sent.size(); i++) {
            done.set(sent.get(i), results.get(i));
        }
        return done;
    }

    /** Null if the row is not as expected. */
    private @Nullable Change change(String sequence, Write write, Map<String, Node> found) {
        String node = node(sequence, write.place());
        String next = SectionRowText.of(write.request().next());
        TenureRow expected = write.request().expected();
        if (expected == null) {
            return new Change(node, next, null);
        }
        Node known = found.get(node);
        return known == null || !SectionRowText.parse(known.content()).equals(Optional.of(expected))
                ? null
                : new Change(node, next, known.version());
    }

    @Override
    public String label() {
        return place.label();
    }

    @Override
    public void stop() {
        nodes.stop();
    }

    @Override
    public void cut() {
        nodes.cut();
    }

    /** Ends the session too, which holds nothing: a copy of this process may go on with another one. */
    @Override
    public void abandon() {
        nodes.close();
    }

    @Override
    public void close() {
        nodes.close();
    }
}
