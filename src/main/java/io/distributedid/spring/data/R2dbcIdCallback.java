package io.distributedid.spring.data;

import io.distributedid.IdConfigurationException;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Publisher;
import org.springframework.core.Ordered;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Gives ids to an aggregate before Spring Data R2DBC saves it. Never blocks the event loop: an id that is in memory is
 * there at once; otherwise a thread of the library waits for it, and the save goes on on a thread of Reactor's parallel
 * scheduler.
 */
final class R2dbcIdCallback implements BeforeConvertCallback<Object>, Ordered {

    private final Aggregates aggregates;

    R2dbcIdCallback(Aggregates aggregates) {
        this.aggregates = aggregates;
    }

    @Override
    public int getOrder() {
        return JdbcIdCallback.ORDER;
    }

    @Override
    public Publisher<Object> onBeforeConvert(Object aggregate, SqlIdentifier table) {
        Aggregate known = aggregates.of(aggregate.getClass());
        if (known.generated().isEmpty()) {
            return Mono.just(aggregate);
        }
        PersistentPropertyAccessor<Object> values = known.entity().getPropertyAccessor(aggregate);
        return completed(values, known.missing(aggregate, values, true).iterator());
    }

    private Mono<Object> completed(PersistentPropertyAccessor<Object> values, Iterator<GeneratedProperty> missing) {
        while (missing.hasNext()) {
            GeneratedProperty next = missing.next();
            CompletableFuture<Long> id = aggregates
                    .idsFor(next)
                    .nextAsync(next.sequence(), next.maxValue(), next.usedBy())
                    .toCompletableFuture();
            if (!id.isDone() || id.isCompletedExceptionally()) {
                return Mono.fromFuture(id)
                        .onErrorMap(IdConfigurationException.class, next::named)
                        .publishOn(Schedulers.parallel())
                        .flatMap(later -> {
                            values.setProperty(next.property(), next.convert(later));
                            return completed(values, missing);
                        });
            }
            values.setProperty(next.property(), next.convert(id.join()));
        }
        return Mono.just(values.getBean());
    }
}
