package io.distributedid.mybatis;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.IdProperty;
import io.distributedid.internal.property.IdType;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.ParameterMapping;
import org.apache.ibatis.reflection.MetaObject;
import org.apache.ibatis.reflection.Reflector;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The annotated objects that an INSERT reaches through others, as in {@code #{row.id}} or {@code #{records[0].id}}.
 *
 * <p>Each path of the SQL belongs to the first annotated object on its way. The objects whose ids are read are what is
 * inserted. If no id is read, but other properties of an object without an id, the row might get an id of the
 * database's own: that is refused. To know the paths, MyBatis makes the SQL once more, before the objects have ids.
 */
final class WrappedObjects {

    /** Of an element, also of one in a {@code <foreach>}, whose element has a name like {@code __frch_photo_0}. */
    private static final Pattern INDEX = Pattern.compile("\\[[^]]*]|(?<=^__frch_\\w{1,99})_\\d+");

    private final MappedStatement statement;

    /** By their paths. */
    private final Map<String, Object> inserted = new LinkedHashMap<>();

    /** Only other properties than their ids are read. */
    private final Map<String, Object> read = new LinkedHashMap<>();

    private WrappedObjects(MappedStatement statement) {
        this.statement = statement;
    }

    /** Each object once, by its annotated property. */
    static Map<IdProperty, List<Object>> of(MappedStatement statement, Object parameter) {
        if (!mayWrap(parameter, statement.getConfiguration())) {
            return Map.of();
        }
        WrappedObjects objects = new WrappedObjects(statement);
        objects.find(parameter);
        objects.requireOne();
        return InsertedObjects.annotated(objects.inserted.values());
    }

    /** Whether it might hold an annotated object. The SQL of others is made once only. */
    private static boolean mayWrap(@Nullable Object value, Configuration configuration) {
        if (value instanceof Map<?, ?> map) {
            return mayWrap(map.values(), configuration);
        }
        if (value instanceof Object[] array) {
            return mayWrap(Arrays.asList(array), configuration);
        }
        if (value instanceof Collection<?> collection) {
            return collection.stream().anyMatch(each -> mayWrap(each, configuration));
        }
        if (value == null || isSimple(value.getClass(), configuration)) {
            return false;
        }
        Reflector properties = configuration.getReflectorFactory().findForClass(value.getClass());
        return value instanceof Iterable<?>
                || IdProperty.of(value.getClass()).isPresent()
                || Arrays.stream(properties.getGetablePropertyNames())
                        .anyMatch(name -> !isSimple(properties.getGetterType(name), configuration));
    }

    /** MyBatis has a handler for {@code Object}, too, and may have one for an annotated class. */
    private static boolean isSimple(Class<?> type, Configuration configuration) {
        return type != Object.class
                && configuration.getTypeHandlerRegistry().hasTypeHandler(type)
                && IdProperty.of(type).isEmpty();
    }

    private void find(Object parameter) {
        MetaObject root = statement.getConfiguration().newMetaObject(parameter);
        BoundSql sql;
        try {
            sql = statement.getBoundSql(parameter);
        } catch (RuntimeException e) {
            // It may need what a <selectKey> sets. Otherwise, MyBatis itself will fail.
            OtherKeys.ofSelect(statement).forEach(path -> find(path, root::getValue));
            return;
        }
        for (ParameterMapping mapping : sql.getParameterMappings()) {
            find(
                    mapping.getProperty(),
                    owner -> sql.hasAdditionalParameter(owner)
                            ? sql.getAdditionalParameter(owner)
                            : root.getValue(owner));
        }
    }

    private void find(String path, Function<String, @Nullable Object> values) {
        for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
            String owner = path.substring(0, dot);
            Object object = values.apply(owner);
            IdProperty property =
                    object == null ? null : IdProperty.of(object.getClass()).orElse(null);
            if (property != null) {
                if (isInserted(owner)) {
                    (path.substring(dot + 1).equals(property.name()) ? inserted : read).put(owner, object);
                }
                break;
            }
        }
    }

    /** Unless {@code keyProperty} names something else. */
    private boolean isInserted(String owner) {
        String[] keys = statement.getKeyProperties();
        return keys == null
                || owner.startsWith("__frch_")
                || Arrays.stream(keys).anyMatch(key -> (key + '.').startsWith(name(owner) + '.'));
    }

    private static String name(String owner) {
        return INDEX.matcher(owner).replaceAll("");
    }

    private void requireOne() {
        Set<String> names = new TreeSet<>();
        inserted.keySet().forEach(owner -> names.add(name(owner)));
        if (names.size() > 1) {
            throw InsertedObjects.several(statement, names);
        }
        if (inserted.isEmpty()) {
            read.forEach((owner, object) ->
                    IdProperty.of(object.getClass()).ifPresent(property -> requireId(owner, object, property)));
        }
    }

    private void requireId(String owner, Object object, IdProperty property) {
        if (IdType.isNone(ObjectAccess.to(object, statement.getConfiguration()).get(property.name()))) {
            throw new IdConfigurationException("An INSERT must contain the id of its row: " + property
                    + " is none of its parameters: statement=" + statement.getId() + ". Add #{" + owner + "."
                    + property.name() + "}; in MyBatis Dynamic SQL, map it by toProperty instead of"
                    + " toPropertyWhenPresent. If another object is inserted, name it in keyProperty");
        }
    }
}
