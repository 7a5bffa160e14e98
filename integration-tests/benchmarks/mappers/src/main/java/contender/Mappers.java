package contender;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Measures one mapper with ids of the library and with assigned ones, in turns: {@code java contender.Mappers NAME SEED
 * SECONDS ROUNDS}. Prints {@code TURN side rowsPerSecond rowsPerCpuSecond} for each turn, which the benchmarks read.
 */
public final class Mappers {

    /** Of a turn. */
    private static final int ROWS = 50_000;

    private static final int WARM_UP = 6;

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    /** How a mapper is made. */
    private interface Constructor {

        Mapper of(Memory memory, Side side) throws Exception;
    }

    private static final Map<String, Constructor> ALL = Map.of(
            "jdbc", JdbcMapper::new,
            "mybatis", MyBatisMapper::new,
            "mybatisplus", MyBatisPlusMapper::new,
            "jooq", JooqMapper::new,
            "eclipselink", EclipseLinkMapper::new,
            "springdata", SpringDataMapper::new,
            "r2dbc", R2dbcMapper::new);

    private Mappers() {}

    /** Ends the process, whatever threads the mapper leaves. */
    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("").setLevel(Level.SEVERE);
        Constructor constructor = ALL.get(arguments[0]);
        Map<Side, Memory> memories = new EnumMap<>(Side.class);
        Map<Side, Mapper> mappers = new EnumMap<>(Side.class);
        for (Side side : Side.values()) {
            memories.put(side, new Memory(side.name()));
            mappers.put(side, constructor.of(memories.get(side), side));
        }
        List<Side> order = new ArrayList<>(List.of(Side.values()));
        Random random = new Random(Long.parseLong(arguments[1]));
        long end = System.nanoTime() + Long.parseLong(arguments[2]) * 1_000_000_000;
        int rounds = WARM_UP + Integer.parseInt(arguments[3]);
        for (int round = 0; round < rounds && (round < WARM_UP + 2 || System.nanoTime() < end); round++) {
            // Two rounds have opposite orders.
            if (round % 2 == 0) {
                Collections.shuffle(order, random);
            } else {
                Collections.reverse(order);
            }
            for (Side side : order) {
                turn(side, mappers.get(side), memories.get(side), round >= WARM_UP);
            }
        }
        System.exit(0);
    }

    private static void turn(Side side, Mapper mapper, Memory memory, boolean counts) throws Exception {
        System.gc();
        long wall = System.nanoTime();
        long cpu = SYSTEM.getProcessCpuTime();
        mapper.insert(ROWS);
        double seconds = (System.nanoTime() - wall) / 1e9;
        double cpuSeconds = (SYSTEM.getProcessCpuTime() - cpu) / 1e9;
        if (memory.rows() != ROWS) {
            throw new IllegalStateException("rows=" + memory.rows() + ", inserted: " + ROWS);
        }
        memory.empty();
        if (counts) {
            System.out.println("TURN " + side + " " + ROWS / seconds + " " + ROWS / cpuSeconds);
        }
    }
}
