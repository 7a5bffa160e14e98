package io.distributedid.internal.existing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The SQL for databases that we don't know. */
class OtherTextsTest {

    private Connection connection;

    @BeforeEach
    void table() throws SQLException {
        connection = DriverManager.getConnection("jdbc:h2:mem:other_texts");
        execute("CREATE TABLE voucher (id CHAR(40))");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void theLargestIsTheLongestThatIsAnId() throws SQLException {
        assertThat(largest(IdForm.DECIMAL)).isEmpty();
        execute("INSERT INTO voucher VALUES ('9'), ('10'), (NULL), ('x9999'), ('-99'), ('00012'),"
                + " ('9223372036854775808'),"
                + " ('9f2b6c1e-0000-4000-8000-000000000000'), ('0000000000000000007')");
        assertThat(largest(IdForm.DECIMAL)).containsExactly(10L);
        assertThat(largest(IdForm.PADDED)).containsExactly(7L);
        execute("INSERT INTO voucher VALUES ('9223372036854775807')");
        for (IdForm form : IdForm.values()) {
            assertThat(largest(form)).containsExactly(Long.MAX_VALUE);
        }
    }

    @Test
    void theSearchEnds() throws SQLException {
        execute("INSERT INTO voucher SELECT 'x' || x FROM SYSTEM_RANGE(1, 1000)");
        assertThatThrownBy(() -> largest(IdForm.DECIMAL))
                .isInstanceOf(NotComparedException.class)
                .hasMessage("the 1000 longest texts are no ids");
    }

    private List<Long> largest(IdForm form) throws SQLException {
        return OtherTexts.largest(connection, "voucher", "id", form);
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
