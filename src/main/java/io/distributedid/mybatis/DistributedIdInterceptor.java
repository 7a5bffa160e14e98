package io.distributedid.mybatis;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.mapper.MapperIds;
import io.distributedid.internal.property.IdProperty;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.SqlCommandType;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Signature;
import org.apache.ibatis.reflection.MetaObject;
import org.apache.ibatis.session.Configuration;

/**
 * Gives an id to each object that a MyBatis INSERT statement stores, if a property of its class has
 * {@link DistributedId}. The statement then reads the id like any other property.
 *
 * <pre>{@code
 * SqlSessionFactory factory = new SqlSessionFactoryBuilder().build(configuration);
 * DistributedIdInterceptor interceptor = new DistributedIdInterceptor(ids);
 * configuration.addInterceptor(interceptor);
 * interceptor.check(configuration);
 * }</pre>
 *
 * <p>The objects are the statement's parameter, or the elements of a list or an array. If there are several parameters,
 * it is the one whose class has the annotation; if several have it, the one that {@code keyProperty} names, as in
 * {@code keyProperty = "comment.id"}. All ids of one statement are taken at once. They are set before MyBatis makes the
 * SQL, so that dynamic SQL sees them. They come from connections of their own: nothing is executed in the transaction
 * of the statement, and a rollback leaves the objects with ids that no row has.
 *
 * <p>An object that already has an id is refused, unless the annotation says {@code assigned = true}. Statements whose
 * parameter has no annotation are left alone, with {@code useGeneratedKeys} and {@code <selectKey>}; a statement that
 * would set the annotated property by one of these as well is refused.
 *
 * <p>This is a plug-in and not a {@code KeyGenerator}, because MyBatis makes plug-ins known in one place, while key
 * generators are fixed in each statement. Thread-safe.
 */
@Intercepts(
        @Signature(
                type = Executor.class,
                method = "update",
                args = {MappedStatement.class, Object.class}))
public final class DistributedIdInterceptor implements Interceptor {

    private final MapperIds ids;

    /** @param ids the caller closes it after the last statement */
    public DistributedIdInterceptor(DistributedIds ids) {
        this.ids = new MapperIds(ids);
    }

    /**
     * Checks the INSERT statements whose parameter's class MyBatis knows, and opens their sequences. Without this call,
     * a statement is checked at its first use. Call it when all mappers are added.
     *
     * @param configuration with the statements
     * @throws IdConfigurationException if an annotation, a statement or a sequence is configured wrongly
     */
    public void check(Configuration configuration) {
        Set<MapperIds.Place> places = new LinkedHashSet<>();
        // The same statement stands there under its short name too, or something else if that is ambiguous.
        for (Object each : new ArrayList<Object>(configuration.getMappedStatements())) {
            if (each instanceof MappedStatement statement && isInsert(statement)) {
                IdProperty.of(statement.getParameterMap().getType()).ifPresent(property -> {
                    OtherKeys.requireNone(statement, property);
                    places.add(ids.place(property));
                });
            }
        }
        ids.open(places);
    }

    /**
     * Called by MyBatis for each INSERT, UPDATE and DELETE.
     *
     * @throws IdConfigurationException if an object must not be given an id; MyBatis wraps it
     */
    @Override
    public Object intercept(Invocation invocation) throws Throwable {
        MappedStatement statement = (MappedStatement) invocation.getArgs()[0];
        if (isInsert(statement)) {
            InsertedObjects.of(statement, invocation.getArgs()[1])
                    .forEach((property, objects) -> assign(statement, property, objects));
        }
        return invocation.proceed();
    }

    private static boolean isInsert(MappedStatement statement) {
        return statement.getSqlCommandType() == SqlCommandType.INSERT;
    }

    private void assign(MappedStatement statement, IdProperty property, List<Object> objects) {
        OtherKeys.requireNone(statement, property);
        Configuration configuration = statement.getConfiguration();
        List<MetaObject> without = new ArrayList<>(objects.size());
        for (Object each : objects) {
            MetaObject object = configuration.newMetaObject(each);
            if (property.needsId(object.getValue(property.name()))) {
                without.add(object);
            }
        }
        if (without.isEmpty()) {
            return;
        }
        property.requireSettable();
        long[] next = ids.next(ids.place(property), without.size());
        for (int i = 0; i < next.length; i++) {
            without.get(i).setValue(property.name(), property.convert(next[i]));
        }
    }
}
