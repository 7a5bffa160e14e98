package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The documentation says what this run has found. Runs last. */
@Order(Integer.MAX_VALUE)
class TableTest {

    private static final Path PAGE = Path.of("src", "docs", "internals", "hibernate-versions.md");

    private static Path page() {
        return Stream.iterate(Path.of("").toAbsolutePath(), parent -> parent != null, Path::getParent)
                .map(parent -> parent.resolve(PAGE))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        "no " + PAGE + " above " + Path.of("").toAbsolutePath()));
    }

    @Test
    void theDocumentedColumnIsWhatWasFound() throws IOException {
        String version = Unit.version();
        Table table = Table.read(page());
        if (Boolean.getBoolean("matrix.write")) {
            table.replace(version, Outcomes.all());
            table.write(page());
        }
        table.lines().forEach(System.out::println);
        assertThat(differences(Table.read(page()).column(version), Outcomes.all()))
                .as("column %s of %s, which -Dmatrix.write=true writes", version, PAGE)
                .isEmpty();
    }

    private static List<String> differences(Map<String, String> documented, Map<String, String> found) {
        Set<String> names = new LinkedHashSet<>(found.keySet());
        names.addAll(documented.keySet());
        return names.stream()
                .filter(name -> !Objects.equals(documented.get(name), found.get(name)))
                .map(name -> name + ": documented " + documented.get(name) + ", found " + found.get(name))
                .toList();
    }
}
