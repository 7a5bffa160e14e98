package io.distributedid.internal.keyed.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.tenure.TenureRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SectionRowTextTest {

    @Test
    void aRowIsItsBoundItsLeaseItsTokenAndItsOwner() {
        TenureRow owned = new TenureRow("https://ids1:8443", 20_000, 5_000_000_000L, "1x2y.3z");
        assertThat(SectionRowText.of(owned)).isEqualTo("20000 5000000000 1x2y.3z https://ids1:8443");
        assertThat(SectionRowText.parse("20000 5000000000 1x2y.3z https://ids1:8443"))
                .contains(owned);

        TenureRow free = new TenureRow("", Long.MAX_VALUE, 0, "t");
        assertThat(SectionRowText.of(free)).isEqualTo("9223372036854775807 0 t");
        assertThat(SectionRowText.parse("9223372036854775807 0 t")).contains(free);
    }

    @Test
    void anOwnerMayHaveBlanks() {
        TenureRow record = SectionRecord.firstRows(64, "t").get(SectionStore.RECORD);
        assertThat(SectionRowText.parse(SectionRowText.of(record))).contains(record);
    }

    @Test
    void whiteSpaceAroundItIsIgnoredSincePeopleWriteRowsToo() {
        assertThat(SectionRowText.parse(" 1000000 0 restored \n"))
                .contains(new TenureRow("", 1_000_000, 0, "restored"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1000000",
                "1000000 0",
                "1000000  0 t",
                "-1 0 t",
                "1e6 0 t",
                "9223372036854775808 0 t",
                "0 9223372036854775808 t",
                "10 0 t\nowner"
            })
    void otherTextsAreNoRows(String text) {
        assertThat(SectionRowText.parse(text)).isEmpty();
    }
}
