package contender;

import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring Data JDBC with Spring Boot; {@code insertAll} sends batches. */
final class SpringDataMapper implements Mapper {

    private final Memory memory;

    private final Side side;

    private final ConfigurableApplicationContext context;

    private final JdbcAggregateTemplate template;

    private final TransactionTemplate transactions;

    SpringDataMapper(Memory memory, Side side) {
        this.memory = memory;
        this.side = side;
        context = Boot.run(memory, beans -> beans.registerBean(DataSource.class, () -> memory.pool));
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
            photos.add(SpringPhotos.next(side, memory));
        }
        return photos;
    }
}
