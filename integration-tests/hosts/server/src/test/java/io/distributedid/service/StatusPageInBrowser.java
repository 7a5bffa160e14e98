package io.distributedid.service;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.ServerProcess;
import io.distributedid.testkit.StartedServers;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A browser for the status page, and databases for the server behind it. */
abstract class StatusPageInBrowser {

    static final String PHOTOS = "#sequence-list tbody > :nth-child(1)";

    static final String ORDERS = "#sequence-list tbody > :nth-child(2)";

    static final String ACCOUNTS = "#sequence-list tbody > :nth-child(3)";

    static final String IDS_A_SECOND = ":nth-child(4)";

    static final String IDS_GIVEN = ":nth-child(6)";

    static final Pattern SOME = Pattern.compile("[1-9]");

    static Browser browser;

    @TempDir
    static Path profiles;

    @TempDir
    Path folder;

    H2Servers one;

    H2Servers two;

    @BeforeAll
    static void startBrowser() throws Exception {
        browser = StartedServers.add(Browser.start(profiles));
    }

    @BeforeEach
    void start() throws Exception {
        one = H2Servers.start();
        two = H2Servers.start();
        browser.newTab();
        browser.resize(1200, 900);
    }

    @AfterEach
    void stop() throws Exception {
        H2Servers.drop("page_one", "page_two");
    }

    /** Sequence photos has blocks of two servers, orders a leased worker number, and accounts is in strict order. */
    final Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("distributedid.backend", "sequence_table");
        settings.put("distributedid.sequence_table.servers", one.url("page_one") + ", " + two.url("page_two"));
        settings.put("distributedid.create_tables", true);
        settings.put("distributedid.timeout", "1s");
        settings.put("distributedid.seq.orders.backend", "snowflake");
        settings.put("distributedid.seq.orders.snowflake.worker", "lease");
        settings.put("distributedid.seq.orders.snowflake.lease.server", one.url("page_one"));
        settings.put("distributedid.seq.orders.create_tables", true);
        settings.put("distributedid.seq.accounts.backend", "snowflake");
        settings.put("distributedid.seq.accounts.snowflake.worker", "exclusive");
        settings.put("distributedid.seq.accounts.snowflake.layout", "strict");
        settings.put("distributedid.seq.accounts.snowflake.lease.server", one.url("page_one"));
        settings.put("distributedid.seq.accounts.create_tables", true);
        settings.put("distributedid.seq.accounts.snowflake.lease.owner", "http://ids1:8080");
        settings.put("distributedid.server.port", 0);
        settings.put("distributedid.server.sequences", "photos, orders, accounts");
        return settings;
    }

    static URI page(ServerProcess server) {
        return server.url().resolve("/");
    }

    final long idsGiven(String card) {
        return Long.parseLong(browser.awaitText(card + " " + IDS_GIVEN, SOME).replace(",", ""));
    }

    final void decode(String id) {
        browser.script(
                "document.getElementById('decoder-sequence').value = 'orders';"
                        + "document.getElementById('decoder-id').value = arguments[0];"
                        + "document.getElementById('decoder-form').requestSubmit()",
                id);
    }
}
