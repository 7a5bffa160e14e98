package io.distributedid.hibernate;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.IdTime;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.EntityIdentifierMapping;
import org.hibernate.metamodel.mapping.JdbcMapping;
import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.metamodel.model.domain.NavigableRole;
import org.hibernate.query.sqm.produce.function.internal.PatternRenderer;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.sql.ast.tree.SqlAstNode;
import org.hibernate.sql.ast.tree.expression.Expression;
import org.hibernate.sql.ast.tree.expression.Literal;
import org.hibernate.sql.ast.tree.predicate.Predicate;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/**
 * A function whose SQL depends on the layout of a sequence. Its first argument says which: the id of an entity, or the name of the
 * sequence as a literal. Its last argument goes into the SQL.
 *
 * <p>It is a pattern, and not a function descriptor of its own, because the descriptor's methods have other parameter types in
 * Hibernate 6 than in 7.
 */
final class IdFunction extends PatternRenderer {

    private final String name;

    private final boolean takesInstant;

    private final Function<IdTime, String> pattern;

    IdFunction(String name, boolean takesInstant, Function<IdTime, String> pattern) {
        super("?1");
        this.name = name;
        this.takesInstant = takesInstant;
        this.pattern = pattern;
    }

    String name() {
        return name;
    }

    /** What the descriptor calls; it has no aggregate function, so there is no filter. */
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
        IdTime time = DistributedIdService.of(factory).ids().time(sequence(arguments.get(0), factory));
        SqlAstNode argument = arguments.get(arguments.size() - 1);
        if (takesInstant) {
            requireInstant(argument);
        }
        new PatternRenderer(pattern.apply(time)).render(sql, List.of(argument), translator);
    }

    private String sequence(SqlAstNode argument, SessionFactoryImplementor factory) {
        if (argument instanceof Literal literal && literal.getLiteralValue() instanceof String sequence) {
            return sequence;
        }
        // The id of an association is a copy that belongs to the foreign key; its role still names the entity.
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

    /** A literal is written in the time zone of the JVM, and so are other types: the database would take it for another instant. */
    private void requireInstant(SqlAstNode argument) {
        JdbcMapping type = argument instanceof Expression expression && !(argument instanceof Literal)
                ? Objects.requireNonNull(expression.getExpressionType()).getSingleJdbcMapping()
                : null;
        if (type == null
                || type.getJdbcType().getDefaultSqlTypeCode() != SqlTypes.TIMESTAMP_UTC
                || !type.getJavaTypeDescriptor().getJavaTypeClass().equals(Instant.class)) {
            throw new IdConfigurationException("The last argument of " + name
                    + "() must be a java.time.Instant, as a parameter or a column, mapped to TIMESTAMP_UTC (Hibernate's default): "
                    + name + "(p.id, :instant)"
                    + (type == null
                            ? ""
                            : ", found " + type.getJavaTypeDescriptor().getTypeName() + " as "
                                    + type.getJdbcType().getFriendlyName()));
        }
    }
}
