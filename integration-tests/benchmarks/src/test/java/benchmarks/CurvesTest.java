package benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import benchmarks.Chart.Side;
import org.junit.jupiter.api.Test;

class CurvesTest {

    private final Curves curves = new Curves("A title", "A note.");

    @Test
    void largerValuesAreHigher() {
        curves.panel("Calls", false);
        curves.curve(new double[] {0, 50, 100}, Side.OURS);

        assertThat(curves.svg("origin"))
                .containsPattern("<polyline class=\"ours\" points=\"60,176 \\d+,121 \\d+,66\"/>")
                .contains(">A title</text>", ">Calls</text>", ">A note.</text>", ">origin</text>");
    }

    @Test
    void eachPowerOfTenIsAsHighAsTheNext() {
        curves.panel("Milliseconds", true);
        curves.curve(new double[] {1, 10, 100}, Side.OTHER);

        assertThat(curves.svg("origin")).containsPattern("points=\"60,139 \\d+,103 \\d+,66\"");
    }
}
