package io.outboxcdc.it;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.LocatorAssertions.HasTextOptions;
import com.microsoft.playwright.options.ColorScheme;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** The page in a real browser on a live pipeline. CI has a Chromium; whoever has none sees the tests skipped. */
class SlotMonitorPageIT {

    private static final int PHONE_WIDTH = 360;

    @TempDir
    static Path folder;

    private static WatchedPipeline watched;
    private static Playwright playwright;
    private static Browser browser;

    @BeforeAll
    static void start() throws Exception {
        Path chromium = Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(Path.of("none"));
        if (!"true".equals(System.getenv("CI"))) {
            assumeThat(chromium).as("an installed Chromium").exists();
        }
        watched = WatchedPipeline.start(folder, Map.of());
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(chromium)
                        .setArgs(List.of("--no-sandbox")));
    }

    @AfterAll
    static void stop() {
        if (playwright != null) {
            playwright.close();
        }
        if (watched != null) {
            watched.close();
        }
    }

    @Test
    void itShowsTheSlotItsCauseItsChartAndTheConnector() {
        try (BrowserContext context = browser.newContext()) {
            Page page = open(context);

            assertThat(page.locator("article .state")).hasText("OK");
            assertThat(page.locator("article .cause")).containsText("the reader is up to date");
            assertThat(page.locator("article dl")).containsText("WAL held");
            assertThat(page.locator("article canvas")).isVisible();
            assertThat(page.locator("#connectors")).containsText("main/outbox");
            assertThat(page.locator("#freshness")).hasText("Up to date");
            page.screenshot(new Page.ScreenshotOptions()
                    .setPath(Path.of("target", "slot-monitor.png"))
                    .setFullPage(true));
        }
    }

    @Test
    void itRefreshesByItself() {
        try (BrowserContext context = browser.newContext()) {
            Page page = open(context);
            assertThat(page.locator("article .state")).hasText("OK");

            watched.connect("PUT", "/connectors/outbox/stop", "");
            try {
                assertThat(page.locator("article .state")).hasText("INACTIVE", new HasTextOptions().setTimeout(60_000));
                assertThat(page.locator("article .cause")).containsText("STOPPED");
                assertThat(page.locator("article .next")).containsText("Get the connector running");
            } finally {
                watched.connect("PUT", "/connectors/outbox/resume", "");
            }
            assertThat(page.locator("article .state")).hasText("OK", new HasTextOptions().setTimeout(60_000));
        }
    }

    @Test
    void itNeedsNoOtherHostAndSaysNothingToTheConsole() {
        try (BrowserContext context = browser.newContext()) {
            Page page = context.newPage();
            List<String> requests = new ArrayList<>();
            List<String> complaints = new ArrayList<>();
            page.onRequest(request -> requests.add(request.url()));
            page.onConsoleMessage(message -> complaints.add(message.text()));
            page.onPageError(complaints::add);
            page.navigate(watched.monitor().url().toString());
            assertThat(page.locator("article canvas")).isVisible();

            assertThat(requests)
                    .filteredOn(url -> !url.startsWith("data:"))
                    .allMatch(url -> url.startsWith(watched.monitor().url().toString()));
            assertThat(complaints).isEmpty();
        }
    }

    @Test
    void itFitsAPhoneInBothColourSchemes() {
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            try (BrowserContext context = browser.newContext(new Browser.NewContextOptions()
                    .setViewportSize(PHONE_WIDTH, 740)
                    .setColorScheme(scheme))) {
                Page page = open(context);
                assertThat(page.locator("article canvas")).isVisible();

                assertThat((int) page.evaluate("document.documentElement.scrollWidth"))
                        .isLessThanOrEqualTo(PHONE_WIDTH);
                String ground = (String) page.evaluate("getComputedStyle(document.body).backgroundColor");
                assertThat(ground).isEqualTo(scheme == ColorScheme.DARK ? "rgb(18, 21, 27)" : "rgb(246, 247, 249)");
                page.screenshot(new Page.ScreenshotOptions()
                        .setPath(Path.of("target", "slot-monitor-" + scheme + ".png"))
                        .setFullPage(true));
            }
        }
    }

    @Test
    void everythingCanBeReachedByTheKeyboard() {
        try (BrowserContext context = browser.newContext()) {
            Page page = open(context);
            assertThat(page.locator("article canvas")).isVisible();
            List<String> reached = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                page.keyboard().press("Tab");
                reached.add((String) page.evaluate("document.activeElement.tagName"));
            }

            assertThat(reached).containsExactly("ARTICLE", "A", "A");
        }
    }

    private static Page open(BrowserContext context) {
        Page page = context.newPage();
        page.navigate(watched.monitor().url().toString());
        return page;
    }
}
