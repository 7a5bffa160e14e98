package io.distributedid.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Labels go into logs, metrics and recordings: they name a database, and never show what could be a password. */
class UrlLabelTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "jdbc:mysql://t1:3306/tickets | jdbc:mysql://t1:3306/tickets",
                "jdbc:mysql://t1/tickets?useSSL=false&user=me | jdbc:mysql://t1/tickets",
                "jdbc:mysql://t1/tickets?user=me@corp | jdbc:mysql://t1/tickets",
                "jdbc:mysql://t1:3306,t2:3307/tickets | jdbc:mysql://t1:3306,t2:3307/tickets",
                "jdbc:mysql:loadbalance://t1,t2/tickets | jdbc:mysql:loadbalance://t1,t2/tickets",
                "jdbc:mysql+srv://t1.example.com/tickets | jdbc:mysql+srv://t1.example.com/tickets",
                "jdbc:mysql://[::1]:3306/tickets | jdbc:mysql://[::1]:3306/tickets",
                "jdbc:mysql:///tickets | jdbc:mysql:///tickets",
                "jdbc:mysql://address=(host=t1)(port=3306)(user=me)/tickets | jdbc:mysql://t1:3306/tickets",
                "jdbc:mysql://(host=t1,port=3306),(host=t2)/tickets | jdbc:mysql://t1:3306,t2/tickets",
                "jdbc:mysql://[(host=t1),(host=t2,port=3307)]/tickets | jdbc:mysql://t1,t2:3307/tickets",
                "jdbc:mariadb:sequential://t1,t2/tickets | jdbc:mariadb:sequential://t1,t2/tickets",
                "jdbc:postgresql://t1:5432/ids | jdbc:postgresql://t1:5432/ids",
                "jdbc:postgresql:ids | jdbc:postgresql:ids",
                "jdbc:h2:mem:a;DB_CLOSE_DELAY=-1 | jdbc:h2:mem:a",
                "jdbc:h2:~/ids | jdbc:h2:~/ids",
                "jdbc:h2:tcp://t1:9092/~/ids;USER=me | jdbc:h2:tcp://t1:9092/~/ids",
                "jdbc:tc:mysql:8.0.36:///ids | jdbc:tc:mysql:8.0.36:///ids",
                "jdbc:nosuch://t1/tickets | jdbc:nosuch://t1/tickets",
                "t1/tickets | t1/tickets",
            })
    void theyNameTheDatabase(String url, String label) {
        assertThat(JdbcUrl.label(url)).isEqualTo(label);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mysql://me:se/cret@t1/tickets",
                "jdbc:mysql://me:se/cr/et@t1:3306/tickets?useSSL=false",
                "jdbc:mysql://me:se@cret@t1/tickets",
                "jdbc:mysql://me:se/cr@et@t1/tickets",
                "jdbc:mysql://me:se?cret@t1/tickets",
                "jdbc:mysql://me:se;cret@t1/tickets",
                "jdbc:mysql://me:se#cret@t1/tickets",
                "jdbc:mysql://me:se(cret@t1/tickets",
                "jdbc:mysql://me:se)cret@t1/tickets",
                "jdbc:mysql://me:se,cret@t1/tickets",
                "jdbc:mysql://me:se cret@t1/tickets",
                "jdbc:mysql://me:se:cret@t1/tickets",
                "jdbc:mysql://me:se//cret@t1/tickets",
                "jdbc:mysql://me:/secret@t1/tickets",
                "jdbc:mysql://:se/cret@t1/tickets",
                "jdbc:mysql://me:se?cret=1@t1/tickets",
                "jdbc:mysql://me:se;cret=1@t1/tickets",
                "jdbc:mysql://me:se%2Fcret@t1/tickets",
                "jdbc:mysql://me:secret@t1:3306,me:se/cret@t2:3306/tickets",
                "jdbc:mysql://me:secret",
                "jdbc:mysql://me:se/cret",
                "jdbc:mysql:loadbalance://me:se/cret@t1,t2/tickets",
                "jdbc:mysql://t1/tickets?user=me&password=secret",
                "jdbc:mysql://t1/tickets?password=se/cr@et",
                "jdbc:mysql://t1/tickets?password=se?cr@et",
                "jdbc:mysql://t1/tickets?user=me&password=se;cr=@et/cret",
                "jdbc:mysql://t1?password=@secret",
                "jdbc:mysql://t1/tickets? password = secret",
                "jdbc:mysql://t1/tickets&password=secret",
                "jdbc:mysql://address=(host=t1)(port=3306)(password=secret)/tickets",
                "jdbc:mysql://address=(password=secret)(host=t1)/tickets",
                "jdbc:mysql://address=(host=t1)(password=se/cr@et)/tickets",
                "jdbc:mysql://address = ( host = t1 ) ( password = secret )/tickets",
                "jdbc:mysql://(host=t1,port=3306,user=me,password=secret)/tickets",
                "jdbc:mysql://(host=t1,password=se(cret)/tickets",
                "jdbc:mysql://(password=se/cr@et,host=t1)/tickets",
                "jdbc:mysql://(host=t1,password=secret",
                "jdbc:mysql://[(host=t1,password=secret),(host=t2,password=secret)]/tickets",
                "jdbc:mysql://t1,(host=t2,password=secret)/tickets",
                "jdbc:mysql://me:se/cret@(host=t1,password=secret)/tickets",
                "jdbc:mysql://me:secret@address=(host=t1)(password=secret)/tickets",
                "jdbc:mysql://me:secret@[t1:3306,t2:3306]/tickets",
                "jdbc:mariadb://t1/tickets?user=me&password=secret",
                "jdbc:mariadb://me:se/cret@t1/tickets",
                "jdbc:mariadb:replication://address=(host=t1)(type=primary)(password=secret)/tickets",
                "jdbc:mariadb://t1/tickets?user=root&password=se/cr@et",
                "jdbc:postgresql://t1/ids?user=me&password=secret",
                "jdbc:postgresql://me:se/cret@t1/ids",
                "jdbc:postgresql://t1/ids?password=se%2Fcret&ssl=true",
                "jdbc:postgresql:ids?password=secret",
                "jdbc:h2:mem:a;PASSWORD=secret",
                "jdbc:h2:mem:a;USER=me;PASSWORD=se/cr@et",
                "jdbc:h2:mem:a;user=me;password=se cret",
                "jdbc:h2:tcp://t1/~/ids;PASSWORD=se;cr=@et",
                "jdbc:h2:tcp://me:se/cret@t1/~/ids",
                "jdbc:sqlserver://t1:1433;databaseName=ids;user=me;password=secret",
                "jdbc:oracle:thin:me/secret@t1:1521:ids",
                "jdbc:oracle:thin:me/se/cret@//t1:1521/ids",
                "jdbc:oracle:thin:me/secret@(DESCRIPTION=(ADDRESS=(HOST=t1)))",
                "me:se/cret@t1/tickets",
            })
    void theyShowNoPassword(String url) {
        assertThat(JdbcUrl.label(url))
                .doesNotContain("secret")
                .doesNotContainPattern("(?<![a-z0-9])(se|cr|et|cret)(?![a-z0-9])");
        assertThat(JdbcUrl.label("jdbc:x:" + url)).doesNotContain("secret", "cret");
    }

    @Test
    void aUrlWhosePasswordMustBeEncodedIsRefusedBeforeItsDriverPrintsIt() {
        assertThatThrownBy(() -> new JdbcUrl("jdbc:mysql://me:se/cret@t1/tickets", new Properties()))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("The user and password in a URL must not contain '/', '?' or '#':"
                        + " url=jdbc:mysql://t1/tickets. Write them as %2F, %3F and %23, or leave both out of the URL"
                        + " and set them separately");
    }
}
