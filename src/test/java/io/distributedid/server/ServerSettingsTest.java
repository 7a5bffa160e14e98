package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The page of the service says what the declarations say. */
class ServerSettingsTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Za-z_.]+)` \\| ([^|]+) \\| ([^|]+) \\|$");

    /** {@code 100ms to 1m}, {@code 1,000,000 to 10,000,000}. */
    private static final Pattern RANGE =
            Pattern.compile("\\b([0-9][0-9,]*(?:ms|[smh])?) to ([0-9][0-9,]*(?:ms|[smh])?)\\b");

    private static String page() throws IOException {
        String text = Files.readString(Path.of("src/docs/issuing-service.md"));
        return text.substring(text.indexOf("\n## Settings\n"));
    }

    @Test
    void thePageHasEverySettingWithItsDefaultAndItsRange() throws IOException {
        List<MatchResult> rows = ROW.matcher(page()).results().toList();

        assertThat(rows)
                .extracting(row -> ServerSettings.PREFIX + row.group(1))
                .containsExactlyElementsOf(
                        ServerSettings.ALL.stream().map(Setting::name).toList());
        for (int i = 0; i < rows.size(); i++) {
            Setting<?> setting = ServerSettings.ALL.get(i);
            String byDefault = rows.get(i).group(2);
            if (byDefault.startsWith("`")) {
                assertThat(Settings.of(Map.of(setting.name(), byDefault.replace("`", "")))
                                .find(setting))
                        .as(setting.name())
                        .isEqualTo(Optional.of(Settings.of(Map.of()).get(setting)));
            } else {
                assertThat(byDefault).isEqualTo(setting.defaultText().isEmpty() ? "none" : setting.defaultText());
            }
            Matcher range = RANGE.matcher(rows.get(i).group(3));
            boolean hasRange = setting.kind() == Setting.Kind.NUMBER || setting.kind() == Setting.Kind.DURATION;
            assertThat(range.find()).as(setting.name()).isEqualTo(hasRange);
            if (hasRange) {
                assertThat(setting.allowed())
                        .as(setting.name())
                        .contains("from " + range.group(1).replace(",", "") + " to "
                                + range.group(2).replace(",", ""));
            }
        }
    }

    @Test
    void thePageHasTheUsage() throws IOException {
        StringWriter out = new StringWriter();
        Main.run(new PrintWriter(out), new PrintWriter(out), Map.of(), server -> {}, "--help");

        String usage = out.toString().substring(0, out.toString().indexOf("Gives ids over HTTP"));
        assertThat(Files.readString(Path.of("src/docs/issuing-service.md"))).contains("```text\n" + usage + "```\n");
    }

    @Test
    void theSettingsOfTheIdsAreSeparate() {
        Map<String, Object> all = Map.of(
                "distributedid.backend", "memory",
                "distributedid.server.port", 9,
                "jakarta.persistence.jdbc.url", "jdbc:h2:mem:x");

        assertThat(ServerSettings.of(all).asMap()).containsOnlyKeys("distributedid.server.port");
        assertThat(ServerSettings.ofIds(all)).containsOnlyKeys("distributedid.backend", "jakarta.persistence.jdbc.url");
    }

    @Test
    void aMisspeltSettingHasTheNearestName() {
        Assertions.assertThatThrownBy(() -> ServerSettings.of(Map.of("distributedid.server.max_blok", 9)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("There is no such setting: distributedid.server.max_blok."
                        + " Is it distributedid.server.max_block?");
    }
}
