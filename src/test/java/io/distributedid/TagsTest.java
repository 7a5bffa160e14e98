package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code mvn test} leaves out what is slow, and models are: else they run there, and a second time with the models. */
class TagsTest {

    /** The annotations of a class or of a method, one a line. */
    private static final Pattern ANNOTATIONS = Pattern.compile("(?m)(?:^ *@.*\\R)+(.*)");

    @Test
    void eachModelIsSlow() throws IOException {
        List<String> models;
        try (Stream<Path> files = Files.find(
                Path.of("src/test/java"), 20, (path, any) -> path.toString().endsWith("Test.java"))) {
            models = files.flatMap(TagsTest::annotated)
                    .filter(annotated -> annotated.contains("@Tag(\"model\")"))
                    .toList();
        }

        assertThat(models)
                .as("of classes")
                .anySatisfy(model -> assertThat(model).contains("class WindowModelTest"));
        assertThat(models)
                .as("of methods")
                .anySatisfy(model -> assertThat(model).contains("keepsItsPromisesInManyRuns()"));
        assertThat(models).allSatisfy(model -> assertThat(model).contains("@Tag(\"slow\")"));
    }

    /** The class or method too, so that a failure names it. */
    private static Stream<String> annotated(Path file) {
        try {
            return ANNOTATIONS.matcher(Files.readString(file)).results().map(MatchResult::group);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
