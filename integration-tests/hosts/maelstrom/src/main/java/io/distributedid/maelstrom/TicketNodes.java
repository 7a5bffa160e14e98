package io.distributedid.maelstrom;

import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reserves blocks from the nodes that count, in turn, so that both move on alike. One that does not answer is asked
 * last for some turns. A request is never repeated: if its answer was lost, its numbers are a gap.
 */
final class TicketNodes implements BlockSource {

    private static final int TURNS_LEFT_OUT = 8;

    private final Peers peers;

    private final List<String> servers;

    private final int[] leftOut;

    private int turn;

    private String last = "";

    /** @param servers their names */
    TicketNodes(Peers peers, List<String> servers) {
        this.peers = peers;
        this.servers = servers;
        this.leftOut = new int[servers.size()];
    }

    @Override
    public Block reserve(long wanted) throws SQLException, InterruptedException {
        int first = ++turn % servers.size();
        if (leftOut[first] > 0) {
            leftOut[first]--;
            first++;
        }
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            int server = (first + i) % servers.size();
            try {
                Block block = reserve(servers.get(server), Math.min(wanted, Counter.MOST));
                leftOut[server] = 0;
                return block;
            } catch (IOException e) {
                leftOut[server] = TURNS_LEFT_OUT;
                failures.add(e.getMessage());
            }
        }
        throw new SQLException(String.join("; ", failures));
    }

    private Block reserve(String server, long count) throws IOException, InterruptedException {
        last = server;
        Message answer = peers.ask(server, "reserve", Map.of("count", count));
        if (!answer.type().equals("reserve_ok")) {
            throw new IOException(server + " answered " + answer.text());
        }
        return new Block(answer.number("first"), answer.number("step"), answer.number("count"));
    }

    @Override
    public String server() {
        return last;
    }
}
