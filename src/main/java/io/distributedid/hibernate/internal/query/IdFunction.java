package io.distributedid.hibernate.internal.query;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.generate.EntitySequence;
import io.distributedid.spi.IdTime;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongBiFunction;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.EntityIdentifierMapping;
import org.hibernate.metamodel.mapping.JdbcMapping;
import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.metamodel.model.domain.NavigableRole;
import org.hibernate.query.sqm.function.FunctionKind;
import org.hibernate.query.sqm.function.PatternBasedSqmFunctionDescriptor;
import org.hibernate.query.sqm.produce.function.StandardArgumentsValidators;
import org.hibernate.query.sqm.produce.function.StandardFunctionArgumentTypeResolvers;
import org.hibernate.query.sqm.produce.function.StandardFunctionReturnTypeResolvers;
import org.hibernate.query.sqm.produce.function.internal.PatternRenderer;
import org.hibernate.query.sqm.sql.internal.SqmParameterInterpretation;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.sql.ast.tree.SqlAstNode;
import org.hibernate.sql.ast.tree.expression.Expression;
import org.hibernate.sql.ast.tree.expression.JdbcParameter;
import org.hibernate.sql.ast.tree.expression.Literal;
import org.hibernate.sql.ast.tree.predicate.Predicate;
import org.hibernate.type.BasicType;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/**
 * A function whose SQL depends on the layout of a sequence. The first argument names the sequence: by the id of an
 * entity, or as a literal. The last argument goes into the SQL.
 *
 * <p>This extends a pattern and not a function descriptor, because the descriptor's methods have other parameter types
 * in Hibernate 6 than in 7.
 */
final class IdFunction extends PatternRenderer {

    private final String name;

    private final Function<IdTime, String> pattern;

    /** Computes the id of an instant in Java; null if the function takes an id. */
    private final @Nullable ToLongBiFunction<IdTime, Instant> id;

    /** Casts a parameter to the type of ids. */
    private final String cast;

    private final BasicType<?> result;

    /** Java computes the id if the instant is a parameter, the database otherwise. */
    IdFunction(
            String name,
            Function<IdTime, String> pattern,
            @Nullable ToLongBiFunction<IdTime, Instant> id,
            String cast,
            BasicType<?> result) {
        super("?1");
        this.name = name;
        this.pattern = pattern;
        this.id = id;
        this.cast = cast;
        this.result = result;
    }

    /** The descriptor of the function for Hibernate. */
    PatternBasedSqmFunctionDescriptor descriptor() {
        return new PatternBasedSqmFunctionDescriptor(
                this,
                id == null ? StandardArgumentsValidators.between(1, 2) : StandardArgumentsValidators.exactly(2),
                StandardFunctionReturnTypeResolvers.invariant(result),
                StandardFunctionArgumentTypeResolvers.NULL,
                name,
                FunctionKind.NORMAL,
                "(ID id) or (STRING sequence, ...)");
    }

    String name() {
        return name;
    }

    /** Called by the descriptor. There is no filter, since this is no aggregate function. */
    @Override
    public void render(
            SqlAppender sql,
            List<? extends SqlAstNode> arguments,
            @Nullable Predicate filter,
            SqlAstTranslator<?> translator) {
        render(sql, arguments, translator);
    }

    @Override
    public void render(SqlAppender sql, List<? extends SqlAstNode> arguments, SqlAstTranslator<?> translator) {
        SessionFactoryImplementor factory = translator.getSessionFactory();
        IdTime time = UnitIds.of(factory).ids().time(sequence(arguments.get(0), factory));
        SqlAstNode argument = arguments.get(arguments.size() - 1);
        ToLongBiFunction<IdTime, Instant> toId = id;
        if (toId != null) {
            requireInstant(argument);
            if (parameter(argument) instanceof JdbcParameter instant) {
                SqlAstNode bound = new BoundId(instant, value -> toId.applyAsLong(time, value), result);
                new PatternRenderer(cast).render(sql, List.of(bound), translator);
                return;
            }
        }
        new PatternRenderer(pattern.apply(time)).render(sql, List.of(argument), translator);
    }

    private static SqlAstNode parameter(SqlAstNode argument) {
        return argument instanceof SqmParameterInterpretation named ? named.getResolvedExpression() : argument;
    }

    private String sequence(SqlAstNode argument, SessionFactoryImplementor factory) {
        if (argument instanceof Literal literal && literal.getLiteralValue() instanceof String sequence) {
            return sequence;
        }
        // The id of an association belongs to the foreign key, but its role still names the entity.
        if (argument instanceof Expression expression && expression.getExpressionType() instanceof ModelPart part) {
            NavigableRole role = part.getNavigableRole();
            NavigableRole entity = role == null ? null : role.getParent();
            if (entity != null && role.getLocalName().equals(EntityIdentifierMapping.ID_ROLE_NAME)) {
                return EntitySequence.of(factory.getMappingMetamodel().getEntityDescriptor(entity.getFullPath()));
            }
        }
        throw new IdConfigurationException("The first argument of " + name
                + "() must be the id of an entity, or the name of a sequence as a literal: " + name + "(p.id, ...), "
                + name
                + "('photos', ...)");
    }

    /** Literals and other types are written in the time zone of the JVM: the database would read another instant. */
    private void requireInstant(SqlAstNode argument) {
        JdbcMapping type = argument instanceof Expression expression && !(argument instanceof Literal)
                ? Objects.requireNonNull(expression.getExpressionType()).getSingleJdbcMapping()
                : null;
        if (type == null
                || type.getJdbcType().getDefaultSqlTypeCode() != SqlTypes.TIMESTAMP_UTC
                || !type.getJavaTypeDescriptor().getJavaTypeClass().equals(Instant.class)) {
            throw new IdConfigurationException("The last argument of " + name
                    + "() must be a java.time.Instant, as a parameter or a column, mapped to TIMESTAMP_UTC"
                    + " (Hibernate's default): " + name + "(p.id, :instant)"
                    + (type == null
                            ? ""
                            : ", found " + type.getJavaTypeDescriptor().getTypeName() + " as "
                                    + type.getJdbcType().getFriendlyName()));
        }
    }
}
