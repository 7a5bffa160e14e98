package contender;

import java.util.EnumMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Measures one of the mappers that need no server: {@code java contender.Mappers SEED SECONDS ROUNDS NAME}. */
public final class Mappers {

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
        Constructor constructor = ALL.get(arguments[3]);
        Map<Side, Turns.Contender> contenders = new EnumMap<>(Side.class);
        for (Side side : Side.values()) {
            Memory memory = new Memory(side.name());
            contenders.put(side, new Turns.Contender(constructor.of(memory, side), memory));
        }
        new Turns(contenders).run(arguments);
        System.exit(0);
    }
}
