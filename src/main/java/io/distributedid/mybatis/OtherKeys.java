package io.distributedid.mybatis;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.IdProperty;
import java.util.Arrays;
import org.apache.ibatis.executor.keygen.Jdbc3KeyGenerator;
import org.apache.ibatis.executor.keygen.KeyGenerator;
import org.apache.ibatis.executor.keygen.SelectKeyGenerator;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The keys that MyBatis itself sets. After an INSERT of several rows with ids, MySQL's driver reports ids that it
 * counts up from one of them: {@code useGeneratedKeys} would then write wrong ids into the objects.
 */
final class OtherKeys {

    private OtherKeys() {}

    static void requireNone(MappedStatement statement, IdProperty property) {
        KeyGenerator generator = statement.getKeyGenerator();
        if (generator instanceof Jdbc3KeyGenerator && isSetBy(statement, property)) {
            throw refused(statement, property, "useGeneratedKeys. Set useGeneratedKeys=\"false\" for this statement");
        }
        if (generator instanceof SelectKeyGenerator && isSetBy(select(statement), property)) {
            throw refused(statement, property, "a <selectKey>. Remove it");
        }
    }

    private static IdConfigurationException refused(MappedStatement statement, IdProperty property, String by) {
        return new IdConfigurationException("An id must have one generator: " + property + " is also set by " + by
                + ": statement=" + statement.getId());
    }

    private static @Nullable MappedStatement select(MappedStatement statement) {
        String id = statement.getId() + SelectKeyGenerator.SELECT_KEY_SUFFIX;
        Configuration configuration = statement.getConfiguration();
        return configuration.hasStatement(id, false) ? configuration.getMappedStatement(id, false) : null;
    }

    private static boolean isSetBy(@Nullable MappedStatement statement, IdProperty property) {
        return statement != null
                && statement.getKeyProperties() != null
                && Arrays.stream(statement.getKeyProperties())
                        .map(key -> key.substring(key.lastIndexOf('.') + 1))
                        .anyMatch(property.name()::equals);
    }
}
