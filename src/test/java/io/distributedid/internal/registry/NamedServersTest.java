package io.distributedid.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.LibraryThread;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.spi.InitialContextFactory;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In an application server, a name such as java:comp/env/jdbc/ids has a meaning on threads of the application only. */
class NamedServersTest {

    private static final String NAME = "java:comp/env/jdbc/ids";

    private static final ThreadLocal<@Nullable DataSource> COMPONENT = new ThreadLocal<>();

    private static final AtomicInteger LOOKUPS = new AtomicInteger();

    /** As an application server installs it. */
    public static final class ComponentContexts implements InitialContextFactory {

        @Override
        public Context getInitialContext(Hashtable<?, ?> environment) {
            return (Context) Proxy.newProxyInstance(
                    ComponentContexts.class.getClassLoader(),
                    new Class<?>[] {Context.class},
                    (proxy, method, names) -> {
                        LOOKUPS.incrementAndGet();
                        DataSource found = COMPONENT.get();
                        if (found == null || !names[0].equals(NAME)) {
                            throw new NameNotFoundException("The thread belongs to no component: " + names[0]);
                        }
                        return found;
                    });
        }
    }

    @BeforeEach
    void enter() {
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, ComponentContexts.class.getName());
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:named" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
        COMPONENT.set(dataSource);
    }

    @AfterEach
    void leave() {
        COMPONENT.remove();
        System.clearProperty(Context.INITIAL_CONTEXT_FACTORY);
    }

    @Test
    void aNameIsLookedUpByTheThreadThatConfiguresAndNotByTheOneThatOpens() throws SQLException, InterruptedException {
        try (DistributedIds ids = DistributedIds.create(settings(NAME))) {
            assertThat(LibraryThread.call(() -> ids.next("photos"))).isEqualTo(1);
            assertThat(ids.admin().counters("photos").lastIds()).containsOnlyKeys(NAME);
        }
    }

    @Test
    void numbersPerKeyAndSettingsOfOneSequenceToo() throws SQLException, InterruptedException {
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.seq.messages.keyed.row.server", NAME);
        settings.put("distributedid.create_tables", "true");
        settings.put("distributedid.timeout", "1m");
        settings.put("distributedid.block.timeout", "1m");

        try (DistributedIds ids = DistributedIds.create(settings)) {
            assertThat(LibraryThread.call(() -> ids.keyed("messages").next(1))).isEqualTo(1);
        }
    }

    @Test
    void aServerListedTwiceIsStillRefused() {
        try (DistributedIds ids = DistributedIds.create(settings(NAME + "," + NAME))) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A setting has a value that is not allowed: distributedid.sequence_table.servers="
                            + "java:comp/env/jdbc/ids twice, allowed: every server once");
        }
    }

    @Test
    void aNameThatIsNotFoundIsAnErrorWhenItIsNeeded() {
        try (DistributedIds ids = DistributedIds.create(settings("java:comp/env/jdbc/other"))) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A setting has a value that is not allowed: distributedid.sequence_table.servers="
                            + "java:comp/env/jdbc/other, allowed: the JNDI name of a DataSource");
        }
    }

    @Test
    void nothingElseIsLookedUp() {
        LOOKUPS.set(0);
        DistributedIds.create(settings("jdbc:h2:mem:url")).close();

        assertThat(LOOKUPS).hasValue(0);
    }

    private static Map<String, Object> settings(String servers) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.backend", "sequence_table");
        settings.put("distributedid.sequence_table.servers", servers);
        settings.put("distributedid.create_tables", "true");
        settings.put("distributedid.timeout", "1m");
        settings.put("distributedid.block.timeout", "1m");
        return settings;
    }
}
