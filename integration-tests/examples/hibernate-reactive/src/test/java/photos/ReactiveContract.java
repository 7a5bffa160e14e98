package photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIdException;
import io.distributedid.testkit.Await;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hibernate.reactive.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the application does on each database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ReactiveContract {

    PhotoSite site;

    abstract Connection connect() throws SQLException;

    /** URL, user and password. */
    abstract Map<String, String> database();

    /** How often the server has prepared a statement that begins with these words, or executed it. */
    abstract long prepared(String beginning) throws SQLException;

    /** The connections of other sessions. */
    abstract long connections() throws SQLException;

    @BeforeEach
    void open() {
        site = new PhotoSite(settings());
    }

    @AfterEach
    void close() {
        site.close();
    }

    Map<String, Object> settings() {
        return new HashMap<>(database());
    }

    static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(2, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new IllegalStateException(e.getCause() == null ? e : e.getCause());
        }
    }

    List<Long> numbers(String query) throws SQLException {
        List<Long> numbers = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
        }
        return numbers;
    }

    @Test
    void persistsCascadesAndNumbers() throws SQLException {
        Album album = new Album("holidays");
        Photo sunset = album.add(new Photo("sunset"));
        Photo sunrise = album.add(new Photo("sunrise"));

        get(site.upload(List.of(album)));

        assertThat(album.id).isPositive();
        assertThat(List.of(sunset.id, sunrise.id, sunset.number, sunrise.number))
                .allMatch(id -> id > 0);
        assertThat(sunrise.id).isNotEqualTo(sunset.id);
        assertThat(sunrise.number).isNotEqualTo(sunset.number);
        assertThat(numbers("SELECT id FROM Photo WHERE album_id = " + album.id))
                .containsExactlyInAnyOrder(sunset.id, sunrise.id);
        assertThat(numbers("SELECT number FROM Photo WHERE album_id = " + album.id))
                .containsExactlyInAnyOrder(sunset.number, sunrise.number);
    }

    /** The ids come from many blocks. */
    @Test
    void insertsInBatches() throws SQLException {
        List<Import> imports = IntStream.range(0, 1_000)
                .mapToObj(i -> new Import(null, "batch"))
                .toList();
        long before = prepared("insert into Import");

        get(site.upload(imports));

        assertThat(prepared("insert into Import") - before)
                .as("statements for 1,000 rows in batches of 50")
                .isBetween(1L, 20L);
        assertThat(numbers("SELECT id FROM Import WHERE source = 'batch'"))
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(
                        imports.stream().map(each -> each.id).toList());
    }

    @Test
    void keepsAssignedIdsAndRefusesOthers() throws SQLException {
        long newId =
                numbers("SELECT COALESCE(MAX(id), 0) + 1000000000 FROM Import").get(0);
        Import known = new Import(newId, "known");
        Import unknown = new Import(null, "unknown");
        get(site.upload(List.of(known, unknown)));
        assertThat(known.id).isEqualTo(newId);
        assertThat(unknown.id).isPositive().isNotEqualTo(newId);
        assertThat(numbers("SELECT id FROM Import WHERE source = 'known'")).containsExactly(newId);
        get(site.sessions()
                .withTransaction(session ->
                        session.createMutationQuery("delete from Import").executeUpdate()));

        Photo preset = new Photo("preset");
        preset.id = Long.MAX_VALUE;
        assertThatThrownBy(() -> get(site.upload(List.of(preset))))
                .hasMessageContaining("detached entity passed to persist: photos.Photo");
        assertThat(numbers("SELECT id FROM Photo WHERE id = " + Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void aRollbackLeavesNoRowAndRepeatsNoId() throws SQLException {
        Photo refused = new Photo("refused");
        assertThatThrownBy(() -> get(site.sessions()
                        .withTransaction(session -> session.persist(refused)
                                .thenCompose(none -> session.flush())
                                .thenAccept(none -> {
                                    throw new IllegalStateException("too dark");
                                }))))
                .hasMessageContaining("too dark");
        Photo next = new Photo("next");
        get(site.upload(List.of(next)));

        assertThat(refused.id).isPositive();
        assertThat(numbers("SELECT id FROM Photo WHERE words = 'refused'")).isEmpty();
        assertThat(next.id).isNotEqualTo(refused.id);
        assertThat(next.number).isNotEqualTo(refused.number);
    }

    @Test
    void statelessSessionsInsert() throws SQLException {
        Album album = new Album("stateless");
        get(site.sessions().withStatelessTransaction(session -> session.insert(album)));
        assertThat(numbers("SELECT id FROM Album WHERE title = 'stateless'")).containsExactly(album.id);

        Album preset = new Album("preset");
        preset.id = 17L;
        Import known = new Import(5_000_000_000L, "stateless");
        CompletionStage<Void> presetInsert =
                site.sessions().withStatelessTransaction(session -> session.insert(preset));
        CompletionStage<Void> knownInsert = site.sessions().withStatelessTransaction(session -> session.insert(known));
        if (isVersion2()) {
            // It does not pass the entity. The album gets another id.
            get(presetInsert);
            assertThat(preset.id).isNotEqualTo(17L);
            assertThatThrownBy(() -> get(knownInsert))
                    .hasMessageContaining("Whether an id is assigned must be read from the entity, which this version"
                            + " of Hibernate Reactive does not pass from a StatelessSession: photos.Import.id"
                            + " (seq=imports). Use a Session, or Hibernate Reactive 3");
        } else {
            assertThatThrownBy(() -> get(presetInsert))
                    .hasMessageContaining("An entity must not have an id before it is given one: photos.Album.id"
                            + " (seq=albums) has 17");
            get(knownInsert);
            assertThat(numbers("SELECT id FROM Import WHERE source = 'stateless'"))
                    .containsExactly(5_000_000_000L);
        }
        get(site.sessions()
                .withTransaction(session ->
                        session.createMutationQuery("delete from Import").executeUpdate()));
    }

    @Test
    void hqlInsertsRows() throws SQLException {
        get(site.upload(List.of(new Album("fills the reserve"))));
        int rows = get(site.sessions()
                .withTransaction(session -> session.createMutationQuery("insert into Album (title) values ('by hql')")
                        .executeUpdate()));
        assertThat(rows).isOne();
        assertThat(numbers("SELECT id FROM Album WHERE title = 'by hql'"))
                .singleElement()
                .matches(id -> id > 0);
    }

    @Test
    void endsWithoutThreadsAndConnections() throws SQLException {
        get(site.upload(List.of(new Photo("last"))));
        assertThat(connections()).isPositive();

        site.close();

        Await.until("all connections are closed", () -> connections() == 0, this::connections);
        Await.until("our threads have ended", () -> ourThreads().isEmpty(), ReactiveContract::ourThreads);
    }

    private static Set<String> ourThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("distributedid-"))
                .collect(Collectors.toSet());
    }

    static boolean isVersion2() {
        return Stream.of(Stage.class.getPackage().getImplementationVersion())
                .anyMatch(version -> version.startsWith("2."));
    }

    static Throwable ours(Throwable failure) {
        Throwable each = failure;
        while (each != null && !(each instanceof DistributedIdException)) {
            each = each.getCause();
        }
        return each;
    }
}
