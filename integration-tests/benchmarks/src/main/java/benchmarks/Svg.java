package benchmarks;

import java.util.Locale;

/** An SVG picture in the making, which follows the reader's light or dark mode. */
final class Svg {

    static final int WIDTH = 760;

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
            polyline { fill: none; stroke-width: 1.5; }
            polyline.ours { fill: none; stroke: #0969da; }
            polyline.other { fill: none; stroke: #afb8c1; }
            @media (prefers-color-scheme: dark) {
              text { fill: #e6edf3; }
              .note, .mark { fill: #9198a1; }
              line { stroke: #3d444d; }
              .ours { fill: #4493f8; }
              .other { fill: #57606a; }
              polyline.ours { stroke: #4493f8; }
              polyline.other { stroke: #57606a; }
            }
            </style>
            """;

    private final String title;

    private final StringBuilder body = new StringBuilder();

    /** Has the title at its top, in the first 24 pixels. */
    Svg(String title) {
        this.title = title;
        text(0, 24, "title", title);
    }

    void text(int x, int y, String style, String text) {
        body.append(String.format("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>%n", style, x, y, escaped(text)));
    }

    void line(int x1, int y1, int x2, int y2) {
        body.append(String.format("<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>%n", x1, y1, x2, y2));
    }

    void bar(String style, int x, int y, double width, int height) {
        body.append(String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>%n",
                style,
                x,
                y,
                width,
                height));
    }

    void curve(String style, String points) {
        body.append(String.format("<polyline class=\"%s\" points=\"%s\"/>%n", style, points));
    }

    String document(int height) {
        return String.format(
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                                + " role=\"img\">%n",
                        WIDTH, height, WIDTH, height)
                + "<title>" + escaped(title) + "</title>\n" + STYLE + body + "</svg>\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
