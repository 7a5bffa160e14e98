package benchmarks.persist;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicLong;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;

/** The cheapest generator that Hibernate can call: ids that only this process has, counted in memory. */
@IdGeneratorType(Counted.Generator.class)
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@interface Counted {

    /**
     * Whether each id takes a look at the clock, as ids must that hold the time: 25 ns, most of what a Snowflake
     * generator costs.
     */
    boolean clock() default false;

    /** Made by Hibernate. */
    final class Generator implements BeforeExecutionGenerator {

        private static final long serialVersionUID = 1L;

        private final AtomicLong counter = new AtomicLong();

        private final boolean clock;

        public Generator(Counted annotation) {
            clock = annotation.clock();
        }

        @Override
        public Object generate(
                SharedSessionContractImplementor session, Object owner, Object currentValue, EventType eventType) {
            if (clock && System.currentTimeMillis() == 0) {
                throw new IllegalStateException("The clock is not set: clock=1970");
            }
            return counter.incrementAndGet();
        }

        @Override
        public EnumSet<EventType> getEventTypes() {
            return EventTypeSets.INSERT_ONLY;
        }
    }
}
