package io.distributedid.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.ServerProcess;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.json.Json;

/** The status page in a real browser. */
class StatusPageTest {

    /** The points of the plots in the pictures, one a second. In those of the documentation they are 100. */
    private static final int PICTURE_POINTS = Integer.getInteger("picture.points", 3);

    private static final String PHOTOS = "#sequence-list > :nth-child(1)";

    private static final String ORDERS = "#sequence-list > :nth-child(2)";

    private static final String ACCOUNTS = "#sequence-list > :nth-child(3)";

    private static final String IDS_GIVEN = ".facts > :nth-child(1) > dd";

    private static final Pattern SOME = Pattern.compile("[1-9]");

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

    @TempDir
    Path folder;

    private H2Servers one;

    private H2Servers two;

    private Browser browser;

    @BeforeAll
    static void requireBrowser() {
        Browser.require();
    }

    @BeforeEach
    void start() throws Exception {
        one = H2Servers.start();
        two = H2Servers.start();
        browser = Browser.start(folder);
        browser.resize(1200, 900);
    }

    @AfterEach
    void stop() throws Exception {
        browser.close();
        H2Servers.drop("page_one", "page_two");
        one.close();
        two.close();
    }

    /** Sequence photos has blocks of two servers, orders a leased worker number, and accounts is in strict order. */
    private Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("distributedid.backend", "sequence_table");
        settings.put("distributedid.sequence_table.servers", one.url("page_one") + ", " + two.url("page_two"));
        settings.put("distributedid.sequence_table.create_table", true);
        settings.put("distributedid.sequence_table.timeout", "1s");
        settings.put("distributedid.seq.orders.backend", "snowflake");
        settings.put("distributedid.seq.orders.snowflake.worker", "lease");
        settings.put("distributedid.seq.orders.snowflake.lease.server", one.url("page_one"));
        settings.put("distributedid.seq.orders.snowflake.lease.create_table", true);
        settings.put("distributedid.seq.accounts.backend", "snowflake");
        settings.put("distributedid.seq.accounts.snowflake.worker", "exclusive");
        settings.put("distributedid.seq.accounts.snowflake.layout", "strict");
        settings.put("distributedid.seq.accounts.snowflake.lease.server", one.url("page_one"));
        settings.put("distributedid.seq.accounts.snowflake.lease.create_table", true);
        settings.put("distributedid.seq.accounts.snowflake.lease.owner", "http://ids1:8080");
        settings.put("distributedid.server.port", 0);
        settings.put("distributedid.server.sequences", "photos, orders, accounts");
        return settings;
    }

    private static String hash(String token) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    }

    private static URI page(ServerProcess server) {
        return server.url().resolve("/");
    }

    private long idsGiven(String card) {
        return Long.parseLong(browser.awaitText(card + " " + IDS_GIVEN, SOME).replace(",", ""));
    }

    /** Of the line in the first plot of a card. */
    private int points(String card) {
        String line = (String)
                browser.script("return document.querySelector(arguments[0])?.getAttribute('d') ?? ''", card + " .line");
        return line.split("L").length;
    }

    @Test
    void itShowsFiguresThatGrow() throws Exception {
        try (ServerProcess server = ServerProcess.start(folder, settings())) {
            server.ids("photos", 5);
            server.ids("orders", 3);
            browser.open(page(server));

            assertThat(idsGiven(PHOTOS)).isEqualTo(5);
            assertThat(browser.text("#health")).isEqualTo("UP");
            assertThat(browser.text(PHOTOS)).contains("photos", "Reserve", "Ids of a block", "2 of 2", "Ids left");
            assertThat(browser.text(ORDERS)).contains("orders", "Window left", "Worker number", "Layout ends");
            assertThat(browser.text(ACCOUNTS))
                    .contains("accounts", "Lease left")
                    .containsSubsequence("This server", "active", "Active server", "http://ids1:8080");
            assertThat(browser.text("#server-list"))
                    .contains(one.url("page_one").replaceAll(";.*", ""), "in use");
            Await.until("a rate is shown", () -> {
                server.ids("photos", 10);
                return SOME.matcher(browser.text(PHOTOS + " .plots > :nth-child(1) .value"))
                        .find();
            });
            assertThat(idsGiven(PHOTOS)).isGreaterThan(5);
            Await.until("the plot has a line", () -> points(PHOTOS) > 1);
            assertThat(browser.requests())
                    .contains(server.url() + "/v1/status", server.url() + "/status/page.css")
                    .allMatch(url -> url.startsWith(server.url() + "/"));
            assertThat(browser.complaints()).isEmpty();
        }
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
                    .containsSubsequence("time", "41 bits", "worker", "10 bits", "= " + fields.get("worker"))
                    .containsSubsequence("sequence", "12 bits", "= " + fields.get("sequence"));
            assertThat(browser.script("return [...document.querySelectorAll('#decoder-bits .drawn')]"
                            + ".map((each) => each.textContent).join(' ')"))
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

    private void decode(String id) {
        browser.script(
                "document.getElementById('decoder-sequence').value = 'orders';"
                        + "document.getElementById('decoder-id').value = arguments[0];"
                        + "document.getElementById('decoder-form').requestSubmit()",
                id);
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
    void aServerThatIsLeftOutIsShownWithTheReason() throws Exception {
        try (ServerProcess server = ServerProcess.start(folder, settings())) {
            server.ids("photos", 5);
            browser.open(page(server));
            browser.awaitText("#server-list", "in use");

            two.close();

            Await.until("the failed server is left out", () -> {
                server.ids("photos", 100);
                return browser.text("#server-list").contains("left out");
            });
            browser.awaitText(PHOTOS, "DEGRADED");
            assertThat(browser.awaitText("#event-list", "photos is DEGRADED")).contains(" is left out: ");
            assertThat(browser.text(PHOTOS)).contains("1 of 2");
            assertThat(browser.text("#health")).isEqualTo("DEGRADED");
        }
    }

    @Test
    void aServerThatIsGoneIsNoticed() throws Exception {
        try (ServerProcess server = ServerProcess.start(folder, settings())) {
            browser.open(page(server));
            browser.awaitText("#health", "UP");

            server.kill9();

            assertThat(browser.awaitText("#connection", "The server does not answer."))
                    .contains("The figures are of ");
            assertThat(browser.text("#event-list")).contains("The server does not answer.");
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
            assertThat(browser.text("#sequence-list")).isEqualTo("No figures yet.");

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
            assertThat(browser.text("#sequence-list")).isEqualTo("No figures yet.");
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

    /** While all is well, while a server is left out, with a problem, and when the server is gone. */
    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void itIsReadableInLightAndDark(String scheme) throws Exception {
        try (ServerProcess server = ServerProcess.start(folder, settings())) {
            browser.prefers("prefers-color-scheme", scheme);
            String id = Long.toString(server.ids("orders", 1).get(0));
            browser.open(page(server));
            awaitWhileIdsAreTaken(
                    server, "the plots have " + PICTURE_POINTS + " points", () -> points(PHOTOS) > PICTURE_POINTS);
            assertThat(browser.script("return getComputedStyle(document.body).backgroundColor"))
                    .isEqualTo(scheme.equals("light") ? "rgb(244, 246, 248)" : "rgb(15, 18, 22)");
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
            browser.script("document.querySelectorAll('details').forEach((each) => { each.open = true })");
            assertThatAllTextsAreReadable();
            assertThat(browser.picture(Path.of("target", "status-page-" + scheme + ".png"), 1200))
                    .isNotEmptyFile();

            server.kill9();
            browser.awaitText("#connection", "The server does not answer.");
            assertThatAllTextsAreReadable();
        }
    }

    /** At a rate that goes up and down. */
    private void awaitWhileIdsAreTaken(ServerProcess server, String what, Callable<Boolean> condition) {
        AtomicInteger calls = new AtomicInteger();
        Await.every(
                Duration.ofMillis(50),
                Duration.ofMinutes(10),
                what,
                () -> {
                    double wave = Math.sin(calls.incrementAndGet() / 50.0);
                    server.ids("photos", 60 + (int) (40 * wave));
                    server.ids("orders", 60 - (int) (40 * wave));
                    server.ids("accounts", 10);
                    return condition.call();
                },
                () -> browser.text("main"));
    }

    private void assertThatAllTextsAreReadable() {
        assertThat((List<?>) browser.script(PALE_TEXTS)).isEmpty();
    }

    @Test
    void plotsMoveLessForWhoAsksForThat() throws Exception {
        try (ServerProcess server = ServerProcess.start(folder, settings())) {
            browser.prefers("prefers-reduced-motion", "reduce");
            browser.open(page(server));
            browser.awaitText("#health", "UP");
            browser.script("""
                    window.answers = 0;
                    window.moves = 0;
                    new MutationObserver(() => { answers++; })
                      .observe(document.getElementById('server'), { childList: true });
                    new MutationObserver(() => { moves++; })
                      .observe(document.querySelector(arguments[0]), { attributeFilter: ['d'] });
                    """, ORDERS + " .line");

            Await.until("four answers came", () -> (Long) browser.script("return answers") > 3);
            assertThat((Long) browser.script("return moves")).isLessThan(4);
        }
    }

    @Test
    void itFitsANarrowScreen() throws Exception {
        try (ServerProcess server = ServerProcess.start(folder, settings())) {
            browser.resize(360, 740);
            String id = Long.toString(server.ids("orders", 1).get(0));
            browser.open(page(server));
            browser.awaitText(ORDERS + " " + IDS_GIVEN, SOME);
            decode(id);
            browser.awaitText("#decoder-bits", "sequence");

            assertThat((Long) browser.script("return document.documentElement.scrollWidth"))
                    .isLessThanOrEqualTo(360);
            browser.picture(Path.of("target", "status-page-narrow.png"), 360);
        }
    }

    /** A message of a database is a text, whatever it looks like. */
    @Test
    void theBrowserMakesNoHtmlOfTexts() throws Exception {
        try (ServerProcess server = ServerProcess.start(folder, settings())) {
            browser.open(page(server));

            assertThat(browser.script("try { document.body.innerHTML = '<b>x</b>'; return 'made' }"
                            + " catch (refused) { return refused.name }"))
                    .isEqualTo("TypeError");
            assertThat(browser.script("const made = document.createElement('script'); made.async = false;"
                            + " try { made.text = 'window.isRun = true'; document.body.append(made) } catch (refused) {}"
                            + " return window.isRun === true"))
                    .isEqualTo(false);
        }
    }
}
