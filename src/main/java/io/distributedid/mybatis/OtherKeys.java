package io.distributedid.mybatis;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.IdProperty;
import java.util.List;
import org.apache.ibatis.executor.keygen.Jdbc3KeyGenerator;
import org.apache.ibatis.executor.keygen.KeyGenerator;
import org.apache.ibatis.executor.keygen.SelectKeyGenerator;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.session.Configuration;

/**
 * The keys that MyBatis itself sets. After an INSERT of several rows with ids, MySQL's driver reports ids that it
 * counts up from one of them: {@code useGeneratedKeys} would then write wrong ids into the objects.
 */
final class OtherKeys {

    private OtherKeys() {}

    static void requireNone(MappedStatement statement, IdProperty property) {
        KeyGenerator generator = statement.getKeyGenerator();
        if (generator instanceof Jdbc3KeyGenerator && isSetBy(keys(statement), property)) {
            throw refused(statement, property, "useGeneratedKeys. Set useGeneratedKeys=\"false\" for this statement");
        }
        if (isSetBy(ofSelect(statement), property)) {
            throw refused(statement, property, "a <selectKey>. Remove it");
        }
    }

    private static IdConfigurationException refused(MappedStatement statement, IdProperty property, String by) {
        return new IdConfigurationException("An id must have one generator: " + property + " is also set by " + by
                + ": statement=" + statement.getId());
    }

    /** The properties that a {@code <selectKey>} sets. */
    static List<String> ofSelect(MappedStatement statement) {
        String id = statement.getId() + SelectKeyGenerator.SELECT_KEY_SUFFIX;
        Configuration configuration = statement.getConfiguration();
        return statement.getKeyGenerator() instanceof SelectKeyGenerator && configuration.hasStatement(id, false)
                ? keys(configuration.getMappedStatement(id, false))
                : List.of();
    }

    private static List<String> keys(MappedStatement statement) {
        String[] keys = statement.getKeyProperties();
        return keys == null ? List.of() : List.of(keys);
    }

    private static boolean isSetBy(List<String> keys, IdProperty property) {
        return keys.stream().map(key -> key.substring(key.lastIndexOf('.') + 1)).anyMatch(property.name()::equals);
    }
}
