package io.distributedid.soak.report;

import java.util.Locale;

/** An SVG picture in the making, which follows the reader's light or dark mode. */
final class Svg {

    static final int WIDTH = 960;

    private static final String STYLE = """
            <style>
            text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
            .title { font-size: 17px; font-weight: 600; }
            .panel { font-weight: 600; }
            .note { font-size: 11px; fill: #59636e; }
            .centred { font-size: 11px; fill: #59636e; text-anchor: middle; }
            .right { font-size: 11px; fill: #59636e; text-anchor: end; }
            line { stroke: #d1d9e0; }
            .ids, .server { fill: #0969da; }
            .wait { fill: #8250df; }
            .refused { fill: #cf222e; }
            .application { fill: #bf8700; }
            @media (prefers-color-scheme: dark) {
              text { fill: #e6edf3; }
              .note, .centred, .right { fill: #9198a1; }
              line { stroke: #3d444d; }
              .ids, .server { fill: #4493f8; }
              .wait { fill: #ab7df8; }
              .refused { fill: #f85149; }
              .application { fill: #d29922; }
            }
            </style>
            """;

    private final String title;

    private final StringBuilder body = new StringBuilder();

    /** Has the title at its top, in the first 24 pixels. */
    Svg(String title) {
        this.title = title;
        text(0, 20, "title", title);
    }

    void text(double x, double y, String style, String text) {
        add("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>", style, x, y, escaped(text));
    }

    void line(double x1, double y1, double x2, double y2) {
        add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", x1, y1, x2, y2);
    }

    /** A bar whose hint is shown under the pointer. */
    void bar(String style, double x, double y, double width, double height, String hint) {
        add(
                "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s</title></rect>",
                style, x, y, width, height, escaped(hint));
    }

    void bar(String style, double x, double y, double width, double height) {
        add("<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", style, x, y, width, height);
    }

    private void add(String format, Object... values) {
        body.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    String document(int height) {
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                                + " role=\"img\">%n",
                        WIDTH,
                        height,
                        WIDTH,
                        height)
                + "<title>" + escaped(title) + "</title>\n" + STYLE + body + "</svg>\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
