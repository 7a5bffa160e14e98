package photosite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The photo site on real servers. */
@Needs(Need.MYSQL)
class PhotoSiteTest {

    private static final int PHOTOS = 6_000;

    private static final int USERS = 12;

    private static Servers servers;

    private static Directory directory;

    private static Shards shards;

    private static PhotoSite site;

    private static Move move;

    @BeforeAll
    static void open() throws IOException {
        servers = new Servers();
        directory = new Directory(servers.ofDirectory());
        shards = new Shards(servers::ofShard);
        site = new PhotoSite(directory, shards);
        move = new Move(directory, shards);
    }

    @AfterAll
    static void close() {
        shards.close();
        directory.close();
    }

    private static List<Long> signUp(int count) {
        return IntStream.range(0, count)
                .mapToObj(number ->
                        site.signUp("user " + number, number % Shards.COUNT).id())
                .toList();
    }

    @Test
    void usersMoveWhileAllUploadAndATicketServerDies() throws Exception {
        List<Long> users = signUp(USERS);
        try (Traffic traffic = new Traffic(site, users)) {
            traffic.start(PHOTOS / 2);
            for (int part = 1; part < 4; part++) {
                traffic.await(part * PHOTOS / 8);
                move.move(users.get(part), part * 3 % Shards.COUNT);
            }
            traffic.start(PHOTOS / 4);
            servers.ticketServer1().kill9();
            for (int part = 4; part < 8; part++) {
                move.move(users.get(part), part * 3 % Shards.COUNT);
            }
            traffic.finish();
            Set<Long> early = traffic.photos().keySet();
            traffic.start(PHOTOS / 4);
            // There and back again.
            move.move(users.get(0), 3);
            move.move(users.get(0), 0);
            traffic.finish();

            List<Row> photos = Row.photos(servers, users);
            List<Row> comments = Row.comments(servers, users);
            assertThat(photos).hasSize(PHOTOS);
            assertThat(photos.stream().collect(Collectors.toMap(Row::id, Row::content)))
                    .as("each photo once, with the key that persist() gave it")
                    .isEqualTo(traffic.photos());
            assertThat(photos)
                    .as("and with its owner")
                    .allSatisfy(photo -> assertThat(photo.content()).startsWith(photo.owner() + ": "));
            assertThat(comments.stream().collect(Collectors.toMap(Row::id, row -> Long.valueOf(row.content()))))
                    .isEqualTo(traffic.comments());
            assertThat(Row.users(servers, users)).extracting(Row::id).containsExactlyInAnyOrderElementsOf(users);
            assertThat(Stream.concat(comments.stream(), Row.users(servers, users).stream()))
                    .as("users and comments share a ticket table")
                    .extracting(Row::id)
                    .doesNotHaveDuplicates();
            everyRowIsAtHome(users);
            assertThat(photos.stream()
                            .map(Row::id)
                            .filter(id -> !early.contains(id) && id % 2 == 0)
                            .count())
                    .as("ids of the ticket server that lives; a few of the other one were reserved before")
                    .isGreaterThan(PHOTOS / 8);
        }
        foreignKeysAreKept();
        for (Row photo : Row.photos(servers, users)) {
            if (photo.id() % 100 < 2) {
                assertThat(site.find(photo.owner(), photo.id())).isPresent();
            }
        }
    }

    private static void everyRowIsAtHome(List<Long> users) throws SQLException {
        Map<Long, Integer> homes = Row.homes(servers).stream().collect(Collectors.toMap(Row::id, Row::shard));
        for (List<Row> rows :
                List.of(Row.users(servers, users), Row.photos(servers, users), Row.comments(servers, users))) {
            assertThat(rows)
                    .isNotEmpty()
                    .allSatisfy(row -> assertThat(row.shard()).isEqualTo(homes.get(row.owner())));
        }
    }

    private static void foreignKeysAreKept() throws SQLException {
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            assertThat(count(
                            servers.connectToShard(shard),
                            "SELECT COUNT(*) FROM information_schema.referential_constraints"
                                    + " WHERE constraint_schema = DATABASE()"))
                    .isEqualTo(2);
        }
    }

    private static long count(Connection connection, String sql) throws SQLException {
        try (connection;
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void whileAUserMovesOnlyThatUserWaits() throws Exception {
        List<Long> users = signUp(2);
        long ada = users.get(0);
        long ben = users.get(1);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        AtomicReference<Future<List<Photo>>> later = new AtomicReference<>();
        try {
            directory.alone(ada, home -> {
                site.upload(ben, List.of(Traffic.title(ben, "now")));
                later.set(thread.submit(() -> site.upload(ada, List.of(Traffic.title(ada, "later")))));
                awaitLockWait(later.get());
                assertThat(later.get()).isNotDone();
            });
            assertThat(later.get()).succeedsWithin(Duration.ofMinutes(1));
        } finally {
            thread.shutdownNow();
        }
        assertThat(Row.photos(servers, users)).extracting(Row::owner).containsExactly(ada, ben);
    }

    /**
     * Returns when a transaction waits for a lock, or the caller did not have to. InnoDB refreshes the view if it was
     * not read for 100 ms.
     */
    private static void awaitLockWait(Future<?> waiting) {
        String lockWaits = "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
        Await.every(
                Duration.ofMillis(150),
                Await.PATIENCE,
                "the upload waits for a lock",
                () -> waiting.isDone() || count(servers.connectToDirectory(), lockWaits) > 0,
                () -> "nobody waits");
    }

    @Test
    void aMoveThatBrokeOffLeavesNothingBehind() throws Exception {
        List<Long> users = signUp(1);
        long user = users.get(0);
        long photo = site.upload(user, List.of(Traffic.title(user, "a"))).get(0).id();
        Instant uploaded = site.find(user, photo).orElseThrow().uploaded();

        copyToShard1(user);
        assertThat(Row.photos(servers, users)).extracting(Row::shard).containsExactly(0, 1);
        move.sweep(user);
        assertThat(Row.photos(servers, users)).extracting(Row::shard, Row::id).containsExactly(tuple(0, photo));

        copyToShard1(user);
        move.move(user, 1);
        assertThat(Row.photos(servers, users)).extracting(Row::shard, Row::id).containsExactly(tuple(1, photo));
        assertThat(site.find(user, photo).orElseThrow().uploaded()).isEqualTo(uploaded);
    }

    /** What is left of a move whose process dies before the directory names the new shard. */
    private static void copyToShard1(long user) throws SQLException {
        try (Connection connection = servers.connectToShard(1);
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO users SELECT * FROM shard0.users WHERE id = " + user);
            statement.execute("INSERT INTO photos SELECT * FROM shard0.photos WHERE user_id = " + user);
        }
    }
}
