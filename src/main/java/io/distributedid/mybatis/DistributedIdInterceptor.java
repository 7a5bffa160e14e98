package io.distributedid.mybatis;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.mapper.MapperIds;
import io.distributedid.internal.property.IdProperty;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.executor.resultset.DefaultResultSetHandler;
import org.apache.ibatis.executor.statement.RoutingStatementHandler;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.SqlCommandType;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Signature;
import org.apache.ibatis.scripting.defaults.DefaultParameterHandler;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;

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
 * the object is the parameter whose class has the annotation; if several have the annotation, the parameter that
 * {@code keyProperty} names, as in {@code keyProperty = "comment.id"}. If the object lies inside a parameter, it is the
 * object whose id the SQL reads, as in {@code #{row.id}}; a statement that reads such an object but not its id is
 * refused. All ids of one statement are taken at once. They are set before MyBatis makes the SQL, so that dynamic SQL
 * sees them. Ids are taken on separate connections: nothing is executed in the transaction of the statement, and a
 * rollback leaves the objects with ids that no row has.
 *
 * <p>An object that already has an id is refused, unless the annotation says {@code assigned = true}. Statements whose
 * parameters have no annotation are left alone, also those with {@code useGeneratedKeys} or {@code <selectKey>}. A
 * statement that would also set the annotated property by one of these is refused.
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
     * Checks the INSERT statements whose parameter's class MyBatis knows, and opens their sequences. Other statements
     * are checked at their first use, and so are all statements without this call. Call this method when all mappers
     * are added.
     *
     * @param configuration with the statements
     * @throws IdConfigurationException if an annotation, a statement or a sequence is configured wrongly
     */
    public void check(Configuration configuration) {
        Set<MapperIds.Place> places = new LinkedHashSet<>();
        // The same statement stands there under its short name too, or something else if that is ambiguous.
        for (Object each : new ArrayList<Object>(configuration.getMappedStatements())) {
            if (each instanceof MappedStatement statement && isInsert(statement)) {
                Class<?> type = statement.getParameterMap().getType();
                Optional.<Class<?>>ofNullable(type).flatMap(IdProperty::of).ifPresent(property -> {
                    OtherKeys.requireNone(statement, property);
                    places.add(MapperIds.Place.of(property));
                });
            }
        }
        ids.open(places);
    }

    /**
     * Called by MyBatis for each executor, and several times in each statement for its handlers, which stay as they
     * are. The default would read this class's annotation each time.
     */
    @Override
    public Object plugin(Object target) {
        return !isHandler(target) && target instanceof Executor executor ? ExecutorProxy.of(this, executor) : target;
    }

    /** Compared with classes, which takes less time than to find out that an interface is not there. */
    private static boolean isHandler(Object target) {
        return target instanceof RoutingStatementHandler
                || target instanceof DefaultParameterHandler
                || target instanceof DefaultResultSetHandler;
    }

    /**
     * Called if something other than {@link #plugin} wraps an executor.
     *
     * @throws IdConfigurationException if an object must not be given an id; MyBatis wraps this exception
     */
    @Override
    public Object intercept(Invocation invocation) throws Throwable {
        assign((MappedStatement) invocation.getArgs()[0], invocation.getArgs()[1]);
        return invocation.proceed();
    }

    private static boolean isInsert(MappedStatement statement) {
        return statement.getSqlCommandType() == SqlCommandType.INSERT;
    }

    /** Gives ids to the objects of an INSERT. */
    void assign(MappedStatement statement, @Nullable Object parameter) {
        if (parameter == null || !isInsert(statement)) {
            return;
        }
        // Without lists: such a statement costs little, and a batch executes many of them.
        IdProperty property = IdProperty.of(parameter.getClass()).orElse(null);
        if (property == null) {
            InsertedObjects.of(statement, parameter).forEach((each, objects) -> assign(statement, each, objects));
            return;
        }
        OtherKeys.requireNone(statement, property);
        ObjectAccess object = ObjectAccess.to(parameter, statement.getConfiguration());
        if (property.needsId(object.get(property.name()))) {
            property.requireSettable();
            object.set(property.name(), property.convert(ids.next(property)));
        }
    }

    private void assign(MappedStatement statement, IdProperty property, List<Object> objects) {
        OtherKeys.requireNone(statement, property);
        List<ObjectAccess> without = new ArrayList<>(objects.size());
        for (Object each : objects) {
            ObjectAccess object = ObjectAccess.to(each, statement.getConfiguration());
            if (property.needsId(object.get(property.name()))) {
                without.add(object);
            }
        }
        if (without.isEmpty()) {
            return;
        }
        property.requireSettable();
        long[] next = ids.next(property, without.size());
        for (int i = 0; i < next.length; i++) {
            without.get(i).set(property.name(), property.convert(next[i]));
        }
    }
}
