package io.distributedid.hibernate.internal.query;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.function.ToLongFunction;
import org.hibernate.metamodel.mapping.JdbcMapping;
import org.hibernate.sql.ast.SqlAstWalker;
import org.hibernate.sql.ast.tree.expression.JdbcParameter;
import org.hibernate.sql.exec.spi.ExecutionContext;
import org.hibernate.sql.exec.spi.JdbcParameterBinder;
import org.hibernate.sql.exec.spi.JdbcParameterBindings;
import org.jspecify.annotations.Nullable;

/**
 * A parameter that is an {@link Instant} for the application and an id for the database. The id is computed in Java
 * when the statement is bound, so that neither a database type nor a driver can round the instant.
 *
 * @param toId the smallest or the largest id of an instant
 * @param type of an id
 */
record BoundId(JdbcParameter instant, ToLongFunction<Instant> toId, JdbcMapping type)
        implements JdbcParameter, JdbcParameterBinder {

    @Override
    public void bindParameterValue(
            PreparedStatement statement, int position, JdbcParameterBindings bindings, ExecutionContext context)
            throws SQLException {
        if (bindings.getBinding(instant).getBindValue() instanceof Instant bound) {
            statement.setLong(position, toId.applyAsLong(bound));
        } else {
            statement.setNull(position, Types.BIGINT);
        }
    }

    @Override
    public JdbcParameterBinder getParameterBinder() {
        return this;
    }

    /** Called by Hibernate 7.2 and later. */
    public @Nullable Integer getParameterId() {
        return null;
    }

    @Override
    public void accept(SqlAstWalker walker) {
        walker.visitParameter(this);
    }

    @Override
    public JdbcMapping getExpressionType() {
        return type;
    }
}
