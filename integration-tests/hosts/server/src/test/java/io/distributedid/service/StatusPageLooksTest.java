package io.distributedid.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** The status page can be read: in light and dark, and on a narrow screen. Makes its pictures. */
@Needs(Need.CHROMIUM)
class StatusPageLooksTest extends StatusPageInBrowser {

    /** Texts whose contrast with what is behind them is below 4.5. */
    private static final String PALE_TEXTS = """
            const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
            const light = (colour) => {
              const [r, g, b] = numbers(colour).map((part) => {
                const c = part / 255;
                return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
              });
              return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const isClear = (colour) => numbers(colour)[3] === 0;
            const behind = (node) => {
              for (let each = node; each !== null; each = each.parentElement) {
                const colour = getComputedStyle(each).backgroundColor;
                if (!isClear(colour)) {
                  return colour;
                }
              }
              throw new Error('The page has no background');
            };
            const contrast = (node) => {
              const [low, high] = [light(getComputedStyle(node).color), light(behind(node))].sort((a, b) => a - b);
              return (high + 0.05) / (low + 0.05);
            };
            const hasText = (node) =>
              [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim() !== '');
            return [...document.querySelectorAll('body *')]
              .filter((node) => !(node instanceof SVGElement) && hasText(node) && node.checkVisibility())
              .filter((node) => contrast(node) < 4.5)
              .map((node) => `${node.tagName} ${node.className} ${node.textContent} ${contrast(node)}`);
            """;

    /** While all is well, while a server is left out, with a problem, and when the server is gone. */
    @Test
    void itIsReadableInLightAndDarkAndFitsANarrowScreen() throws Exception {
        try (ServerProcess server = ServerProcess.start(folder, settings())) {
            String id = Long.toString(server.ids("orders", 1).get(0));
            browser.open(page(server));
            awaitWhileIdsAreTaken(
                    server,
                    "a rate is shown",
                    () -> SOME.matcher(browser.text(PHOTOS + " " + IDS_A_SECOND))
                            .find());
            assertThatAllTextsAreReadable();

            two.close();
            awaitWhileIdsAreTaken(
                    server,
                    "a server is left out",
                    () -> browser.text("#server-list").contains("left out"));
            decode("seven");
            browser.awaitText("#decoder-problem", "seven");
            assertThatAllTextsAreReadable();

            decode(id);
            browser.awaitText("#decoder-bits", "sequence");
            assertThatAllTextsAreReadable();
            picture("dark", 1200);
            browser.prefers("prefers-color-scheme", "light");
            picture("light", 1200);
            browser.resize(360, 740);
            assertThat((Long) browser.script("return document.documentElement.scrollWidth"))
                    .isLessThanOrEqualTo(360);
            picture("narrow", 360);

            server.kill9();
            browser.awaitText("#connection", "The server does not answer.");
            assertThatAllTextsAreReadable();
        }
    }

    private static void picture(String name, int width) throws IOException {
        assertThat(browser.picture(Path.of("target", "status-page-" + name + ".png"), width))
                .isNotEmptyFile();
    }

    private void awaitWhileIdsAreTaken(ServerProcess server, String what, Callable<Boolean> condition) {
        Await.every(
                Duration.ofMillis(50),
                Duration.ofMinutes(10),
                what,
                () -> {
                    server.ids("photos", 60);
                    server.ids("orders", 30);
                    server.ids("accounts", 10);
                    return condition.call();
                },
                () -> browser.text("main"));
    }

    private void assertThatAllTextsAreReadable() {
        for (String scheme : List.of("light", "dark")) {
            browser.prefers("prefers-color-scheme", scheme);
            assertThat(browser.script("return getComputedStyle(document.body).backgroundColor"))
                    .isEqualTo(scheme.equals("light") ? "rgb(255, 255, 255)" : "rgb(18, 18, 18)");
            assertThat((List<?>) browser.script(PALE_TEXTS)).as(scheme).isEmpty();
        }
    }
}
