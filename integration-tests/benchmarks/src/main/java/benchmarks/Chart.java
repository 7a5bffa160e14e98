package benchmarks;

import java.util.ArrayList;
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

    private static final String STYLE = """
            <style>
            text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
            .title { font-size: 17px; font-weight: 600; }
            .panel { font-weight: 600; }
            .note { font-size: 11px; fill: #59636e; }
            .ours { fill: #0969da; }
            .other { fill: #afb8c1; }
            @media (prefers-color-scheme: dark) {
              text { fill: #e6edf3; }
              .note { fill: #9198a1; }
              .ours { fill: #4493f8; }
              .other { fill: #57606a; }
            }
            </style>
            """;

    private final String title;

    private final List<String> notes;

    private final List<Panel> panels = new ArrayList<>();

    /**
     * An empty chart.
     *
     * @param title above it
     * @param notes below it: what was measured, and where
     */
    public Chart(String title, String... notes) {
        this.title = title;
        this.notes = List.of(notes);
    }

    /** Begins the next panel, whose bars have a scale of their own. */
    public void panel(String heading) {
        panels.add(new Panel(heading, new ArrayList<>()));
    }

    /** Adds a bar to the last panel. */
    public void bar(String label, double value, String text, Side side) {
        panels.get(panels.size() - 1).bars.add(new Bar(label, value, text, side));
    }

    String svg() {
        StringBuilder body = new StringBuilder();
        int y = 24;
        text(body, 0, y, "title", title);
        for (Panel panel : panels) {
            y += TITLE;
            text(body, 0, y, "panel", panel.title);
            y += GAP + 2;
            y = bars(body, panel.bars, y);
        }
        y += GAP;
        for (String note : notes) {
            y += 16;
            text(body, 0, y, "note", note);
        }
        int height = y + 10;
        return String.format(
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">%n",
                        WIDTH, height, WIDTH, height)
                + "<title>" + escaped(title) + "</title>\n" + STYLE + body + "</svg>\n";
    }

    private static int bars(StringBuilder body, List<Bar> bars, int top) {
        double longest = bars.stream().mapToDouble(Bar::value).max().orElse(1);
        int y = top;
        for (Bar bar : bars) {
            double width = Math.max(1, bar.value / longest * (WIDTH - LABELS - NUMBERS));
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
        return y;
    }

    private static void text(StringBuilder body, int x, int y, String style, String text) {
        body.append(String.format("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>%n", style, x, y, escaped(text)));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
