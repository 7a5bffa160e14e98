package contender;

import io.r2dbc.h2.H2ConnectionConfiguration;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;

/** Spring Data R2DBC with Spring Boot, which inserts rows one by one. */
final class R2dbcMapper implements Mapper {

    private final Memory memory;

    private final Side side;

    private final ConfigurableApplicationContext context;

    private final R2dbcEntityTemplate template;

    private final TransactionalOperator transactions;

    R2dbcMapper(Memory memory, Side side) {
        this.memory = memory;
        this.side = side;
        ConnectionFactory connections = new H2ConnectionFactory(H2ConnectionConfiguration.builder()
                .url(memory.url.replace("jdbc:h2:", ""))
                .build());
        context = Boot.run(memory, beans -> beans.registerBean(ConnectionFactory.class, () -> connections));
        template = context.getBean(R2dbcEntityTemplate.class);
        transactions = context.getBean(TransactionalOperator.class);
    }

    @Override
    public int turn() {
        return 15_000;
    }

    @Override
    public void insert(int rows) {
        Flux.range(0, rows)
                .concatMap(row -> template.insert(SpringPhotos.next(side, memory)))
                .as(transactions::transactional)
                .blockLast();
    }
}
