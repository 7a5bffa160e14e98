package contender;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Measures one mapper with ids of the library and with assigned ones, in turns. Prints {@code TURN side rowsPerSecond
 * rowsPerCpuSecond} for each turn, which the benchmarks read.
 */
final class Turns {

    private static final int WARM_UP = 6;

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    /** A mapper, and where its rows are. */
    record Contender(Mapper mapper, Table table) {}

    private final Map<Side, Contender> contenders;

    Turns(Map<Side, Contender> contenders) {
        this.contenders = contenders;
    }

    /** @param arguments {@code SEED SECONDS ROUNDS}, after which no round begins; others may follow */
    void run(String[] arguments) throws Exception {
        List<Side> order = new ArrayList<>(List.of(Side.values()));
        Random random = new Random(Long.parseLong(arguments[0]));
        long end = System.nanoTime() + Long.parseLong(arguments[1]) * 1_000_000_000;
        int rounds = WARM_UP + Integer.parseInt(arguments[2]);
        for (int round = 0; round < rounds && (round < WARM_UP + 2 || System.nanoTime() < end); round++) {
            // Two rounds have opposite orders.
            if (round % 2 == 0) {
                Collections.shuffle(order, random);
            } else {
                Collections.reverse(order);
            }
            for (Side side : order) {
                turn(side, contenders.get(side), round >= WARM_UP);
            }
        }
    }

    private void turn(Side side, Contender contender, boolean counts) throws Exception {
        int rows = contender.mapper().turn();
        System.gc();
        long wall = System.nanoTime();
        long cpu = SYSTEM.getProcessCpuTime();
        contender.mapper().insert(rows);
        double seconds = (System.nanoTime() - wall) / 1e9;
        double cpuSeconds = (SYSTEM.getProcessCpuTime() - cpu) / 1e9;
        long stored = contender.table().rows();
        if (stored != rows) {
            throw new IllegalStateException("rows=" + stored + ", inserted: " + rows);
        }
        contender.table().empty();
        if (counts) {
            System.out.println("TURN " + side + " " + rows / seconds + " " + rows / cpuSeconds);
        }
    }
}
