package contender;

import io.distributedid.DistributedId;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring Data JDBC with Spring Boot; {@code insertAll} sends batches. */
final class SpringDataMapper implements Mapper {

    /** Its id comes from the application. */
    @Table(Memory.TABLE)
    static class Photo {

        @Id
        Long id;

        String title = TITLE;
    }

    /** Its id comes from the callback. */
    @Table(Memory.TABLE)
    static class GeneratedPhoto {

        @Id
        @DistributedId(seq = Memory.TABLE)
        Long id;

        String title = TITLE;
    }

    /** Only what Spring Boot configures. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private final Memory memory;

    private final Side side;

    private final ConfigurableApplicationContext context;

    private final JdbcAggregateTemplate template;

    private final TransactionTemplate transactions;

    SpringDataMapper(Memory memory, Side side) {
        this.memory = memory;
        this.side = side;
        context = Boot.run(Application.class, memory, beans -> beans.registerBean(DataSource.class, () -> memory.pool));
        template = context.getBean(JdbcAggregateTemplate.class);
        transactions = context.getBean(TransactionTemplate.class);
    }

    @Override
    public void insert(int rows) {
        transactions.executeWithoutResult(transaction -> {
            for (int done = 0; done < rows; done += BATCH) {
                template.insertAll(photos());
            }
        });
    }

    private List<Object> photos() {
        List<Object> photos = new ArrayList<>(BATCH);
        for (int i = 0; i < BATCH; i++) {
            photos.add(side == Side.OURS ? new GeneratedPhoto() : assigned());
        }
        return photos;
    }

    private Photo assigned() {
        Photo photo = new Photo();
        photo.id = memory.nextAssigned();
        return photo;
    }
}
