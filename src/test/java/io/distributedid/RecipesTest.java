package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.recipes.CustomerOrder;
import io.distributedid.recipes.PhotoView;
import io.distributedid.recipes.ShortId;
import io.distributedid.testkit.BulkLoadContract;
import io.distributedid.testkit.H2Servers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The classes that the page "Recipes" quotes do what it says. Its other recipes are run by the tests that it names. */
class RecipesTest {

    private static final Page PAGE = Page.of("src/docs/recipes.md");

    private static final String DATABASE = "jdbc:h2:mem:recipes;DB_CLOSE_DELAY=-1";

    private static final LocalDate TODAY = LocalDate.of(2026, 11, 28);

    private static final LocalDate TOMORROW = TODAY.plusDays(1);

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("recipes");
    }

    @Test
    void orderNumbersBeginAtOneEachDay() {
        try (SessionFactory shop = openShop()) {
            assertThat(placed(shop, new CustomerOrder(TODAY), new CustomerOrder(TODAY)))
                    .containsExactly("ORD-20261128-000001", "ORD-20261128-000002");
            assertThat(placed(shop, new CustomerOrder(TOMORROW))).containsExactly("ORD-20261129-000001");
        }
    }

    @Test
    void anOrderThatIsFlushedAfterMidnightIsNumberedOnItsOwnDay() {
        try (SessionFactory shop = openShop()) {
            CustomerOrder late = new CustomerOrder(TODAY);
            assertThat(placed(shop, new CustomerOrder(TODAY))).containsExactly("ORD-20261128-000001");
            assertThat(placed(shop, new CustomerOrder(TOMORROW), late))
                    .containsExactly("ORD-20261129-000001", "ORD-20261128-000002");
        }
    }

    @Test
    void orderNumbersGoOnAfterARestart() {
        try (SessionFactory shop = openShop()) {
            placed(shop, new CustomerOrder(TODAY), new CustomerOrder(TODAY));
        }
        try (SessionFactory shop = openShop()) {
            assertThat(placed(shop, new CustomerOrder(TODAY))).containsExactly("ORD-20261128-000003");
        }
    }

    @Test
    void anOrderThatIsRolledBackLeavesAGap() {
        try (SessionFactory shop = openShop()) {
            shop.inTransaction(session -> {
                session.persist(new CustomerOrder(TODAY));
                session.flush();
                session.getTransaction().markRollbackOnly();
            });
            assertThat(placed(shop, new CustomerOrder(TODAY))).containsExactly("ORD-20261128-000002");
        }
    }

    private static SessionFactory openShop() {
        return new Configuration()
                .addAnnotatedClass(CustomerOrder.class)
                .setProperty("hibernate.connection.url", DATABASE)
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("distributedid.backend", "sequence_table")
                .buildSessionFactory();
    }

    private static List<String> placed(SessionFactory shop, CustomerOrder... orders) {
        shop.inTransaction(session -> List.of(orders).forEach(session::persist));
        return Stream.of(orders).map(CustomerOrder::orderNumber).toList();
    }

    /** JavaScript's numbers are Java's {@code double}. */
    @Test
    void aBrowserTakesAnIdForAnotherUnlessItIsAText() {
        long id = 385037107200004097L;
        long other = 385037107200004100L;

        assertThat(PAGE.section("Ids in the browser")).contains("`" + id + "`", "`" + other + "`");
        assertThat((double) id).isEqualTo((double) other);
        assertThat(PhotoView.of(id, "dawn")).isNotEqualTo(PhotoView.of(other, "dawn"));
        assertThat(Long.parseLong(PhotoView.of(id, "dawn").id())).isEqualTo(id);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "32, 10", "1234, 16J", "9223372036854775807, 7ZZZZZZZZZZZZ"})
    void aShortTextIsTheIdInCrockfordsDigits(long id, String text) {
        assertThat(ShortId.of(id)).isEqualTo(text);
        assertThat(ShortId.parse(text)).isEqualTo(id);
    }

    @Test
    void aShortTextIsReadBackAsPeopleWriteIt() {
        LongStream.range(0, 63)
                .map(bit -> 1L << bit)
                .flatMap(power -> LongStream.of(power, power | power - 1))
                .forEach(id -> assertThat(ShortId.parse(ShortId.of(id))).isEqualTo(id));
        assertThat(ShortId.parse("oi16jL")).isEqualTo(ShortId.parse("0116J1"));
    }

    @Test
    void shortTextsOfOneLengthSortAsTheIdsDo() {
        List<String> padded = LongStream.range(0, 63)
                .map(bit -> 1L << bit)
                .mapToObj(ShortId::of)
                .map(text -> "0".repeat(13 - text.length()) + text)
                .toList();

        assertThat(padded).isSorted();
        assertThat(ShortId.parse(padded.get(10))).isEqualTo(1 << 10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "16U", "16-J", "8000000000000", "ZZZZZZZZZZZZZZ"})
    void aTextThatIsNoIdIsRefused(String text) {
        assertThatThrownBy(() -> ShortId.parse(text)).hasMessage("No id: " + text);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void aNumberThatIsNoIdHasNoShortText(long number) {
        assertThatThrownBy(() -> ShortId.of(number)).hasMessage("An id is positive: " + number);
    }

    @Nested
    class BulkLoad extends BulkLoadContract {

        @Override
        protected String url() {
            return DATABASE;
        }

        @Override
        protected void load(Connection connection, Path file) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(
                        "INSERT INTO photo SELECT * FROM CSVREAD('" + file + "', 'ID,TITLE', 'charset=UTF-8')");
            }
        }
    }
}
