package benchmarks;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;

/** Horizontal bars as an SVG picture, in panels one below the other; it follows the reader's light or dark mode. */
public final class Chart implements Picture {

    /** Whose bar it is: the library's own are drawn in another colour than those of others. */
    public enum Side {
        OURS,
        OTHER
    }

    private record Bar(String label, double value, String text, Side side) {}

    private record Panel(String title, List<Bar> bars) {}

    private static final int LABELS = 250;

    private static final int NUMBERS = 90;

    private static final int BAR = 20;

    private static final int GAP = 6;

    private static final int TITLE = 34;

    private static final int AXIS = 10;

    private static final int NOTE = 16;

    private final String title;

    private final List<String> notes;

    private final List<Panel> panels = new ArrayList<>();

    private boolean logarithmic;

    /**
     * An empty chart.
     *
     * @param title above it
     * @param notes below it: what was measured
     */
    public Chart(String title, String... notes) {
        this.title = title;
        this.notes = List.of(notes);
    }

    /** Draws all panels on one logarithmic scale, for values that powers of ten lie between. */
    public Chart logarithmic() {
        logarithmic = true;
        return this;
    }

    /** Begins the next panel, whose bars have a scale of their own. */
    public void panel(String heading) {
        panels.add(new Panel(heading, new ArrayList<>()));
    }

    /** Adds a bar to the last panel. */
    public void bar(String label, double value, String text, Side side) {
        panels.get(panels.size() - 1).bars.add(new Bar(label, value, text, side));
    }

    @Override
    public String svg(String origin) {
        Svg svg = new Svg(title);
        int y = 24;
        for (Panel panel : panels) {
            y += TITLE;
            svg.text(0, y, "panel", panel.title);
            y += GAP + 2;
            Scale scale = scale(logarithmic ? panels : List.of(panel));
            int bottom = y + panel.bars.size() * (BAR + GAP);
            marks(svg, scale, y, bottom);
            bars(svg, panel.bars, scale, y);
            y = scale.marks().isEmpty() ? bottom : bottom + AXIS;
        }
        y += GAP;
        for (String note : notes) {
            y += NOTE;
            svg.text(0, y, "note", note);
        }
        y += NOTE;
        svg.text(0, y, "note", origin);
        return svg.document(y + 10);
    }

    private Scale scale(List<Panel> common) {
        DoubleSummaryStatistics values = common.stream()
                .flatMap(panel -> panel.bars.stream())
                .mapToDouble(Bar::value)
                .filter(value -> !logarithmic || value > 0)
                .summaryStatistics();
        return logarithmic ? Scale.logarithmic(values.getMin(), values.getMax()) : Scale.proportional(values.getMax());
    }

    private static double length(Scale scale, double value) {
        return scale.share(value) * (Svg.WIDTH - LABELS - NUMBERS);
    }

    private static void marks(Svg svg, Scale scale, int top, int bottom) {
        for (double mark : scale.marks()) {
            int x = LABELS + (int) Math.round(length(scale, mark));
            svg.line(x, top, x, bottom);
            svg.text(x, bottom + AXIS, "mark", String.format(Locale.ROOT, "%,.0f", mark));
        }
    }

    private static void bars(Svg svg, List<Bar> bars, Scale scale, int top) {
        int y = top;
        for (Bar bar : bars) {
            double width = Math.max(1, length(scale, bar.value));
            svg.text(0, y + 15, "label", bar.label);
            svg.bar(bar.side.name().toLowerCase(Locale.ROOT), LABELS, y, width, BAR);
            svg.text(LABELS + (int) width + 6, y + 15, "number", bar.text);
            y += BAR + GAP;
        }
    }
}
