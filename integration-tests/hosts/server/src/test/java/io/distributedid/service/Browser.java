package io.distributedid.service;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.Need;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;

/**
 * Chromium without a window, of the Debian packages. Selenium downloads and reports nothing: it is told where both are.
 */
final class Browser implements AutoCloseable {

    private static final Pattern SENT =
            Pattern.compile("\"method\":\"Network\\.requestWillBeSent\".*?\"request\":\\{.*?\"url\":\"([^\"]+)\"");

    /** Warns that it knows no protocol of this version, of which nothing is used. */
    private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** @param folder for its profile */
    static Browser start(Path folder) throws IOException {
        SELENIUM.setLevel(Level.SEVERE);
        Path home = Files.createTempDirectory(folder, "browser");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program("chromium"));
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--no-first-run",
                "--hide-scrollbars",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--force-color-profile=srgb",
                "--user-data-dir=" + home);
        options.setCapability("goog:loggingPrefs", Map.of("browser", "ALL", "performance", "ALL"));
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(program("chromedriver"))
                .usingAnyFreePort()
                .withSilent(true)
                .build();
        return new Browser(new ChromeDriver(service, options));
    }

    /** Goes on in a new tab, with nothing of what was set or seen in the one before. */
    void newTab() {
        String before = driver.getWindowHandle();
        driver.switchTo().newWindow(WindowType.TAB);
        String tab = driver.getWindowHandle();
        driver.switchTo().window(before).close();
        driver.switchTo().window(tab);
        open(URI.create("about:blank"));
        // Those of the tab before, and of the page that a tab has at first.
        requests();
        complaints();
    }

    private static File program(String name) {
        return Need.program(name).orElseThrow().toFile();
    }

    void open(URI url) {
        driver.get(url.toString());
    }

    void reload() {
        driver.navigate().refresh();
    }

    /** Runs a script in the page, and returns what it returns. */
    Object script(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** Runs a script in each page that is opened from now on, before those of the page. */
    void before(String script) {
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
    }

    /** The text that a reader sees in an element; empty if it is not there or hidden. */
    String text(String selector) {
        return (String) script(
                "const found = document.querySelector(arguments[0]);"
                        + "return found !== null && found.checkVisibility() ? found.innerText.trim() : ''",
                selector);
    }

    /** Waits until an element has such a text, and returns that. */
    String awaitText(String selector, Pattern pattern) {
        String[] seen = {""};
        Await.until(
                selector + " has a text like " + pattern,
                () -> {
                    seen[0] = text(selector);
                    return pattern.matcher(seen[0]).find();
                },
                () -> seen[0]);
        return seen[0];
    }

    String awaitText(String selector, String part) {
        return awaitText(selector, Pattern.compile(Pattern.quote(part)));
    }

    /** Presses keys, in the element that has the focus. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Selects the text of the field that has the focus. */
    void selectAll() {
        new Actions(driver)
                .keyDown(Keys.CONTROL)
                .sendKeys("a")
                .keyUp(Keys.CONTROL)
                .perform();
    }

    /** The id of the element that has the focus; empty if it has none. */
    String focus() {
        return (String) script("return document.activeElement.id");
    }

    /** Emulates a choice of the reader, such as {@code prefers-color-scheme}. */
    void prefers(String feature, String value) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia", Map.of("features", List.of(Map.of("name", feature, "value", value))));
    }

    void resize(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Draws the whole page as a PNG file, in a window that is as high as the page. */
    Path picture(Path file, int width) throws IOException {
        resize(width, ((Long) script("return document.documentElement.scrollHeight")).intValue());
        driver.executeAsyncScript(
                "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))");
        Object data = driver.executeCdpCommand("Page.captureScreenshot", Map.of("format", "png"))
                .get("data");
        Files.createDirectories(file.getParent());
        return Files.write(file, Base64.getDecoder().decode((String) data));
    }

    /** What the page asked for since the last call, whatever the answer. */
    List<String> requests() {
        return log("performance")
                .map(LogEntry::getMessage)
                .map(SENT::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .toList();
    }

    /** The warnings and errors of the console since the last call. */
    List<String> complaints() {
        return log("browser")
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    private Stream<LogEntry> log(String type) {
        return driver.manage().logs().get(type).getAll().stream();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
