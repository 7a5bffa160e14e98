package io.distributedid.cli;

import java.io.Reader;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.DuplicateKeyException;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/** Reads YAML as Spring Boot does: nested names become dotted ones, and an instant stays a text. */
final class SpringYaml {

    private SpringYaml() {}

    /** The settings of all documents. A later one overrides. */
    static Map<String, Object> properties(Reader reader) {
        LoaderOptions strict = new LoaderOptions();
        strict.setAllowDuplicateKeys(false);
        DumperOptions unused = new DumperOptions();
        Map<String, Object> found = new LinkedHashMap<>();
        try {
            new Yaml(new SafeConstructor(strict), new Representer(unused), unused, strict, new NoInstants())
                    .loadAll(reader)
                    .forEach(document -> add(found, "", document));
        } catch (NumberFormatException | YAMLException e) {
            // Without the cause: messages quote the file, which may hold a password.
            throw new IllegalArgumentException(
                    (e instanceof DuplicateKeyException ? "a key occurs twice" : "it is not YAML in UTF-8")
                            + (e instanceof MarkedYAMLException marked && marked.getProblemMark() != null
                                    ? " in line " + (marked.getProblemMark().getLine() + 1)
                                    : ""));
        }
        return found;
    }

    private static void add(Map<String, Object> found, String name, @Nullable Object value) {
        if (value instanceof Map<?, ?> members) {
            members.forEach((key, member) -> add(found, name.isEmpty() ? "" + key : name + "." + key, member));
        } else if (value instanceof Collection<?> elements) {
            found.put(name, elements.stream().map(String::valueOf).toList());
        } else if (!name.isEmpty()) {
            found.put(name, value == null ? "" : value.toString());
        } else if (value != null) {
            throw new IllegalArgumentException("a document does not name its settings");
        }
    }

    private static final class NoInstants extends Resolver {

        @Override
        public void addImplicitResolver(Tag tag, Pattern pattern, String first, int limit) {
            if (tag != Tag.TIMESTAMP) {
                super.addImplicitResolver(tag, pattern, first, limit);
            }
        }
    }
}
