package benchmarks;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;

/** Horizontal bars as an SVG picture, in panels one below the other; it follows the reader's light or dark mode. */
public final class Chart {

    /** Whose bar it is: the library's own are drawn in another colour than those of others. */
    public enum Side {
        OURS,
        OTHER
    }

    private record Bar(String label, double value, String text, Side side) {}

    private record Panel(String title, List<Bar> bars) {}

    private static final int WIDTH = 760;

    private static final int LABELS = 250;

    private static final int NUMBERS = 90;

    private static final int BAR = 20;

    private static final int GAP = 6;

    private static final int TITLE = 34;

    private static final int AXIS = 10;

    private static final int NOTE = 16;

    private static final String STYLE = """
            <style>
            text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
            .title { font-size: 17px; font-weight: 600; }
            .panel { font-weight: 600; }
            .note, .mark { font-size: 11px; fill: #59636e; }
            .mark { text-anchor: middle; }
            line { stroke: #d1d9e0; }
            .ours { fill: #0969da; }
            .other { fill: #afb8c1; }
            @media (prefers-color-scheme: dark) {
              text { fill: #e6edf3; }
              .note, .mark { fill: #9198a1; }
              line { stroke: #3d444d; }
              .ours { fill: #4493f8; }
              .other { fill: #57606a; }
            }
            </style>
            """;

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

    /**
     * The picture.
     *
     * @param origin the last note: which run drew it, where
     */
    String svg(String origin) {
        StringBuilder body = new StringBuilder();
        int y = 24;
        text(body, 0, y, "title", title);
        for (Panel panel : panels) {
            y += TITLE;
            text(body, 0, y, "panel", panel.title);
            y += GAP + 2;
            Scale scale = scale(logarithmic ? panels : List.of(panel));
            int bottom = y + panel.bars.size() * (BAR + GAP);
            marks(body, scale, y, bottom);
            bars(body, panel.bars, scale, y);
            y = scale.marks().isEmpty() ? bottom : bottom + AXIS;
        }
        y += GAP;
        for (String note : notes) {
            y += NOTE;
            text(body, 0, y, "note", note);
        }
        y += NOTE;
        text(body, 0, y, "note", origin);
        int height = y + 10;
        return String.format(
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                                + " role=\"img\">%n",
                        WIDTH, height, WIDTH, height)
                + "<title>" + escaped(title) + "</title>\n" + STYLE + body + "</svg>\n";
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
        return scale.share(value) * (WIDTH - LABELS - NUMBERS);
    }

    private static void marks(StringBuilder body, Scale scale, int top, int bottom) {
        for (double mark : scale.marks()) {
            int x = LABELS + (int) Math.round(length(scale, mark));
            body.append(String.format("<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>%n", x, top, x, bottom));
            text(body, x, bottom + AXIS, "mark", String.format(Locale.ROOT, "%,.0f", mark));
        }
    }

    private static void bars(StringBuilder body, List<Bar> bars, Scale scale, int top) {
        int y = top;
        for (Bar bar : bars) {
            double width = Math.max(1, length(scale, bar.value));
            text(body, 0, y + 15, "label", bar.label);
            body.append(String.format(
                    Locale.ROOT,
                    "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>%n",
                    bar.side.name().toLowerCase(Locale.ROOT),
                    LABELS,
                    y,
                    width,
                    BAR));
            text(body, LABELS + (int) width + 6, y + 15, "number", bar.text);
            y += BAR + GAP;
        }
    }

    private static void text(StringBuilder body, int x, int y, String style, String text) {
        body.append(String.format("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>%n", style, x, y, escaped(text)));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
