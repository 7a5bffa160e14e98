package io.distributedid.mybatis;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.IdProperty;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ibatis.mapping.MappedStatement;

/** The objects with an annotated id that a statement inserts. */
final class InsertedObjects {

    private InsertedObjects() {}

    /** Each object once, by its annotated property. */
    static Map<IdProperty, List<Object>> of(MappedStatement statement, Object parameter) {
        Map<IdProperty, List<Object>> found =
                parameter instanceof Map<?, ?> parameters ? named(statement, parameters) : annotated(parameter);
        return found.isEmpty() ? WrappedObjects.of(statement, parameter) : found;
    }

    private static Map<IdProperty, List<Object>> named(MappedStatement statement, Map<?, ?> parameters) {
        // MyBatis passes the same object under several names: photo, param1; or list, collection.
        IdentityHashMap<Object, Set<String>> names = new IdentityHashMap<>();
        parameters.forEach((name, value) -> {
            if (value != null && !annotated(value).isEmpty()) {
                names.computeIfAbsent(value, each -> new TreeSet<>()).add(String.valueOf(name));
            }
        });
        Set<String> inserted = keys(statement, parameters);
        if (!inserted.isEmpty()) {
            names.values().removeIf(each -> each.stream().noneMatch(inserted::contains));
        }
        if (names.size() > 1) {
            throw several(
                    statement,
                    names.values().stream().flatMap(Set::stream).sorted().toList());
        }
        return names.isEmpty() ? Map.of() : annotated(names.keySet().iterator().next());
    }

    static IdConfigurationException several(MappedStatement statement, Collection<String> names) {
        return new IdConfigurationException("Several parameters have a @DistributedId: statement=" + statement.getId()
                + " parameters=" + names
                + ". Name the one that is inserted, as in @Options(keyProperty = \"photo.id\")");
    }

    /** The parameters that {@code keyProperty} names before the dot. */
    private static Set<String> keys(MappedStatement statement, Map<?, ?> parameters) {
        String[] keys = statement.getKeyProperties();
        return keys == null
                ? Set.of()
                : Arrays.stream(keys)
                        .map(key -> key.replaceFirst("[.\\[].*", ""))
                        .filter(parameters::containsKey)
                        .collect(Collectors.toSet());
    }

    static Map<IdProperty, List<Object>> annotated(Object value) {
        if (value instanceof Collection<?> collection) {
            return annotated(collection.stream());
        }
        if (value instanceof Object[] array) {
            return annotated(Arrays.stream(array));
        }
        return IdProperty.of(value.getClass())
                .map(property -> Map.of(property, List.of(value)))
                .orElse(Map.of());
    }

    private static Map<IdProperty, List<Object>> annotated(Stream<?> elements) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Map<IdProperty, List<Object>> found = new LinkedHashMap<>();
        elements.filter(Objects::nonNull)
                .filter(seen::add)
                .forEach(each -> IdProperty.of(each.getClass())
                        .ifPresent(property -> found.computeIfAbsent(property, first -> new ArrayList<>())
                                .add(each)));
        return found;
    }
}
