package io.distributedid;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A parsed page of the documentation. */
record Page(Path path, String text) {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

    private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\"></a>");

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    static Page of(String path) {
        Path file = Path.of(path);
        try {
            return new Page(file, Files.readString(file));
        } catch (IOException e) {
            throw new AssertionError("There is no page " + path, e);
        }
    }

    static List<Page> all() throws IOException {
        try (Stream<Path> docs = Files.walk(Path.of("src/docs"))) {
            return Stream.concat(
                            Stream.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "integration-tests/README.md"),
                            docs.map(Path::toString).filter(name -> name.endsWith(".md")))
                    .map(Page::of)
                    .toList();
        }
    }

    /** The text below a heading, up to the next one. */
    String section(String heading) {
        Matcher found = Pattern.compile("(?ms)^## " + Pattern.quote(heading) + "$(.*?)(?=^## |\\z)")
                .matcher(text);
        if (!found.find()) {
            throw new AssertionError(path + " has no section " + heading);
        }
        return found.group(1);
    }

    List<String> blocks(String language) {
        return blocks(text, language);
    }

    static List<String> blocks(String text, String language) {
        return BLOCK.matcher(text)
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .toList();
    }

    /** The targets of its links, except web addresses. */
    List<String> links() {
        return LINK.matcher(BLOCK.matcher(text).replaceAll(""))
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.startsWith("http"))
                .toList();
    }

    /** The anchors of its headings, as GitHub makes them, and those that it names itself. */
    List<String> anchors() {
        List<String> anchors = new ArrayList<>();
        ANCHOR.matcher(text).results().map(anchor -> anchor.group(1)).forEach(anchors::add);
        for (Matcher heading = HEADING.matcher(BLOCK.matcher(text).replaceAll("")); heading.find(); ) {
            anchors.add(heading.group(1)
                    .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'));
        }
        return anchors;
    }
}
