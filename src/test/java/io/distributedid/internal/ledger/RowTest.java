package io.distributedid.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.internal.ledger.Row.State;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowTest {

    private static final Version VERSION = new Version(17, "a01f");

    private static Row row(String name, Fields text) {
        return new Row(name, VERSION, 1, State.OPEN, text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "-photos", " photos", "photos ", "pho\ntos", "pho\u0000tos"})
    void namesThatSomeDatabaseStoresOtherwiseAreRefused(String name) {
        assertThatThrownBy(() -> row(name, Fields.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The name of a row of the ledger has 1 to 160 characters, no - in front, and no space at"
                        + " an end: name=" + name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "@store", "sequence/photos@2", "@keyed/messages/12", "with-a space"})
    void namesOfRows(String name) {
        assertThat(row(name, Fields.NONE).name()).isEqualTo(name);
        assertThatThrownBy(() -> row(name + "x".repeat(160), Fields.NONE)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTextThatMySqlMayTruncateIsRefused() {
        assertThat(row("photos", Fields.NONE.with("a", "x".repeat(1_997))).storedText())
                .hasSize(1_999);
        Row tooLong = row("photos", Fields.NONE.with("a", "x".repeat(1_998)));
        assertThatThrownBy(tooLong::storedText)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The text of a row of the ledger has less than 2000 characters: row=photos length=2000");
    }

    @Test
    void aVersionGrowsByOneAndIsShort() {
        Version next = VERSION.next("0b1c2d3e-4f50-4617-8829-3a4b5c6d7e8f");

        assertThat(next).hasToString("18-0b1c2d3e4f504617");
        assertThat(Version.parse(next.toString())).contains(next);
        assertThat(Version.first("token7")).hasToString("1-token7");
    }

    @Test
    void fieldsKeepTheirValues() {
        Fields fields = Fields.NONE
                .with("token", "7f3a")
                .with("owner", "a b=c%\u0001 ü")
                .with("none", "");

        assertThat(fields).hasToString("token=7f3a owner=a%20b%3dc%25%01%20ü none=");
        assertThat(Fields.parse(fields.toString())).contains(fields);
        assertThat(fields.get("owner")).contains("a b=c%\u0001 ü");
        assertThat(fields.with("token", 8).get("token")).contains("8");
        assertThat(fields.get("missing")).isEmpty();
        assertThatThrownBy(() -> fields.with("a=", 1)).hasMessageContaining("name=a=");
    }

    @Test
    void aChangeIsOfTheNextVersion() {
        Row row = row("photos", Fields.NONE);

        assertThatThrownBy(() -> new Change(Optional.of(VERSION), row, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("A change raises the count of the version, and only a row");
        assertThatThrownBy(() -> new Change(
                        Optional.empty(),
                        Change.create("a", "t", 1, State.OPEN, Fields.NONE).next(),
                        true))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
