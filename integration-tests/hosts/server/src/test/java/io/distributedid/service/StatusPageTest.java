package io.distributedid.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.ServerProcess;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.json.Json;

/** What the status page does, in a real browser. {@link StatusPageLooksTest} shows how it looks. */
@Needs(Need.CHROMIUM)
class StatusPageTest extends StatusPageInBrowser {

    /** Remembers the timers and answers that the page waits for. */
    private static final String REMEMBER = """
            window.awaited = new Set();
            {
              const { setTimeout, clearTimeout, fetch } = window;
              window.setTimeout = (action, millis) => {
                const timer = setTimeout(() => { awaited.delete(timer); action(); }, millis);
                awaited.add(timer);
                return timer;
              };
              window.clearTimeout = (timer) => { awaited.delete(timer); clearTimeout(timer); };
              const remembered = (promise) => {
                awaited.add(promise);
                promise.then(() => awaited.delete(promise), () => awaited.delete(promise));
                return promise;
              };
              window.fetch = (...request) => remembered(fetch.call(window, ...request));
              const { text } = Response.prototype;
              Response.prototype.text = function () { return remembered(text.call(this)); };
            }
            """;

    /** Tells the page whether it is visible or hidden. */
    private static final String LOOK = """
            const state = arguments[0];
            Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
            document.dispatchEvent(new Event('visibilitychange'));
            """;

    private static String hash(String token) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void itShowsFiguresThatGrow() throws Exception {
        try (ServerProcess server = ServerProcess.start(folder, settings())) {
            server.ids("photos", 5);
            server.ids("orders", 3);
            browser.open(page(server));

            assertThat(idsGiven(PHOTOS)).isEqualTo(5);
            assertThat(browser.text("#health")).isEqualTo("UP");
            assertThat(browser.text(PHOTOS)).contains("photos", "Reserve: ", "Ids of a block", "2 of 2", "Ids left");
            assertThat(browser.text(ORDERS)).contains("orders", "Window left", "Worker number", "Layout ends");
            assertThat(browser.text(ACCOUNTS))
                    .contains("accounts", "Lease left")
                    .containsSubsequence("This server", "active", "Active server", "http://ids1:8080");
            assertThat(browser.text("#server-list"))
                    .contains(one.url("page_one").replaceAll(";.*", ""), "in use");
            Await.until("a rate is shown", () -> {
                server.ids("photos", 10);
                return SOME.matcher(browser.text(PHOTOS + " " + IDS_A_SECOND)).find();
            });
            assertThat(idsGiven(PHOTOS)).isGreaterThan(5);
            assertThat(browser.requests())
                    .contains(server.url() + "/v1/status", server.url() + "/status/page.css")
                    .allMatch(url -> url.startsWith(server.url() + "/"));
            assertThat(browser.complaints()).isEmpty();
            assertThatTheBrowserMakesNoHtmlOfTexts();
        }
    }

    /** A message of a database is a text, whatever it looks like. */
    private static void assertThatTheBrowserMakesNoHtmlOfTexts() {
        assertThat(browser.script("try { document.body.innerHTML = '<b>x</b>'; return 'made' }"
                        + " catch (refused) { return refused.name }"))
                .isEqualTo("TypeError");
        assertThat(browser.script("const made = document.createElement('script'); made.async = false;"
                        + " try { made.text = 'window.isRun = true'; document.body.append(made) } catch (refused) {}"
                        + " return window.isRun === true"))
                .isEqualTo(false);
    }

    @Test
    void anIdIsDecodedByKeyboardAlone() throws Exception {
        try (ServerProcess server = ServerProcess.start(folder, settings())) {
            String id = Long.toString(server.ids("orders", 1).get(0));
            browser.open(page(server));
            browser.awaitText(ORDERS + " " + IDS_GIVEN, SOME);

            tabTo("decoder-sequence");
            browser.press("orders");
            tabTo("decoder-id");
            browser.press(id, Keys.ENTER);

            Map<String, Object> decoded = new Json()
                    .toType(server.send("GET", "/v1/sequences/orders/ids/" + id).body(), Json.MAP_TYPE);
            Map<?, ?> fields = (Map<?, ?>) decoded.get("fields");
            // A number would have been rounded.
            assertThat(browser.awaitText("#decoder-answer", id))
                    .contains(decoded.get("time").toString().replace("T", " ").replace("Z", " UTC"));
            assertThat(browser.text("#decoder-bits"))
                    .containsSubsequence(
                            "time", "41 bits", "worker", fields.get("worker").toString(), "10 bits")
                    .containsSubsequence("sequence", fields.get("sequence").toString(), "12 bits");
            assertThat(browser.script("return [...document.querySelectorAll('#decoder-bits tbody > tr')]"
                            + ".map((row) => row.lastElementChild.textContent).join(' ')"))
                    .isEqualTo(decoded.get("bits"));

            browser.selectAll();
            browser.press("seven", Keys.ENTER);

            assertThat(browser.awaitText("#decoder-problem", SOME))
                    .isEqualTo("A parameter has a value that is not allowed: id=seven, allowed: a number from 1 to"
                            + " 9223372036854775807");
            assertThat(browser.text("#decoder-bits")).isEmpty();
            assertThat(browser.script("return document.activeElement.getAttribute('aria-invalid')"))
                    .isEqualTo("true");
        }
    }

    /** Each stop on the way must be visible. */
    private void tabTo(String id) {
        Await.until("the focus is at " + id, () -> {
            browser.press(Keys.TAB);
            assertThat(browser.script("return getComputedStyle(document.activeElement).outlineStyle"))
                    .as("the outline of #%s", browser.focus())
                    .isEqualTo("solid");
            return browser.focus().equals(id);
        });
    }

    @Test
    void aServerThatIsLeftOutIsShownWithTheReasonAndOneThatIsGoneIsNoticed() throws Exception {
        try (ServerProcess server = ServerProcess.start(folder, settings())) {
            server.ids("photos", 5);
            browser.open(page(server));
            browser.awaitText("#server-list", "in use");

            two.close();

            Await.until("the failed server is left out", () -> {
                server.ids("photos", 100);
                return browser.text("#server-list").contains("left out");
            });
            assertThat(browser.awaitText(PHOTOS, "DEGRADED")).contains(" is left out: ", "1 of 2");
            assertThat(browser.text("#health")).isEqualTo("DEGRADED");

            server.kill9();

            assertThat(browser.awaitText("#connection", "The server does not answer."))
                    .contains("The figures are of ");
            assertThat(browser.text("#health")).isEqualTo("no answer");
        }
    }

    @Test
    void aTokenIsAskedForAndKeptInMemoryOnly() throws Exception {
        Map<String, Object> settings = settings();
        settings.put("distributedid.server.token.web.hash", hash("token-of-web"));
        settings.put("distributedid.server.token.web.sequences", "photos");
        try (ServerProcess server = ServerProcess.start(folder, settings)) {
            browser.open(page(server));
            browser.awaitText("#connection", "The server has tokens.");
            Await.until(
                    "the token can be written at once", () -> browser.focus().equals("token"));
            assertThat(browser.text("#sequence-list tbody")).isEqualTo("No figures yet.");

            browser.press("wrong", Keys.ENTER);
            browser.awaitText("#access-problem", "The token is unknown.");
            browser.press("token-of-web", Keys.ENTER);

            browser.awaitText("#sequence-list", "photos");
            assertThat(browser.text("#sequence-list")).doesNotContain("orders", "accounts");
            assertThat(browser.text("#access")).isEmpty();
            assertThat(browser.focus()).isEqualTo("sequences");
            assertThat(browser.script("return localStorage.length + sessionStorage.length + document.cookie.length"))
                    .isEqualTo(0L);
            assertThat(browser.script("return location.href + document.documentElement.outerHTML"
                            + " + document.getElementById('token').value"))
                    .asString()
                    .doesNotContain("token-of-web");
            assertThat(browser.requests()).noneMatch(url -> url.contains("token-of-web"));

            browser.script("document.getElementById('forget').focus()");
            browser.press(Keys.ENTER);
            browser.awaitText("#access", "A token with the right read");
            Await.until("another token can be written", () -> browser.focus().equals("token"));
            assertThat(browser.text("#sequence-list tbody")).isEqualTo("No figures yet.");
            browser.press("token-of-web", Keys.ENTER);
            browser.awaitText("#sequence-list", "photos");

            browser.reload();
            browser.awaitText("#access", "A token with the right read");
        }
    }

    @Test
    void itAsksForNothingWhileNobodyLooks() throws Exception {
        try (ServerProcess server = ServerProcess.start(folder, settings())) {
            browser.before(REMEMBER);
            browser.open(page(server));
            browser.awaitText("#health", "UP");

            assertThat(browser.script("return awaited.size"))
                    .as("while it is visible")
                    .isNotEqualTo(0L);
            browser.script(LOOK, "hidden");
            Await.until(
                    "no timer and no answer is awaited",
                    () -> browser.script("return awaited.size").equals(0L));

            server.ids("photos", 5);
            browser.script(LOOK, "visible");
            assertThat(idsGiven(PHOTOS)).isEqualTo(5);
        }
    }
}
