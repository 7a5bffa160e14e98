package benchmarks;

import benchmarks.Chart.Side;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;

/** What happened in each second, as curves over time, in panels one below the other. */
public final class Curves implements Picture {

    private record Curve(double[] perSecond, Side side) {}

    private record Panel(String title, boolean isLogarithmic, List<Curve> curves) {}

    private static final int LEFT = 60;

    private static final int HEIGHT = 110;

    private static final int TITLE = 34;

    private static final int SECONDS = 10;

    private static final int NOTE = 16;

    private final String title;

    private final List<String> notes;

    private final List<Panel> panels = new ArrayList<>();

    /**
     * An empty picture.
     *
     * @param title above it
     * @param notes below it: what was measured, and whose curve has which colour
     */
    public Curves(String title, String... notes) {
        this.title = title;
        this.notes = List.of(notes);
    }

    /**
     * Begins the next panel.
     *
     * @param isLogarithmic whether powers of ten have the same distance
     */
    public void panel(String heading, boolean isLogarithmic) {
        panels.add(new Panel(heading, isLogarithmic, new ArrayList<>()));
    }

    /** Adds a curve to the last panel, one value a second. */
    public void curve(double[] perSecond, Side side) {
        panels.get(panels.size() - 1).curves.add(new Curve(perSecond.clone(), side));
    }

    @Override
    public String svg(String origin) {
        Svg svg = new Svg(title);
        int y = 24;
        for (Panel panel : panels) {
            y += TITLE;
            svg.text(0, y, "panel", panel.title);
            y += 8;
            draw(svg, panel, y);
            y += HEIGHT + NOTE;
        }
        for (String note : notes) {
            y += NOTE;
            svg.text(0, y, "note", note);
        }
        y += NOTE;
        svg.text(0, y, "note", origin);
        return svg.document(y + 10);
    }

    private static void draw(Svg svg, Panel panel, int top) {
        DoubleSummaryStatistics values = panel.curves.stream()
                .flatMapToDouble(curve -> Arrays.stream(curve.perSecond))
                .filter(value -> value > 0)
                .summaryStatistics();
        if (values.getCount() == 0) {
            return;
        }
        Scale scale = panel.isLogarithmic
                ? Scale.logarithmic(values.getMin(), values.getMax())
                : Scale.proportional(values.getMax());
        List<Double> marks = panel.isLogarithmic ? scale.marks() : List.of(0.0, values.getMax());
        for (double mark : marks) {
            int y = height(scale, mark, top);
            svg.line(LEFT, y, Svg.WIDTH, y);
            svg.text(LEFT / 2, y + 4, "mark", text(mark));
        }
        int seconds = panel.curves.stream()
                .mapToInt(curve -> curve.perSecond.length)
                .max()
                .orElseThrow();
        for (int second = 0; second <= seconds; second += SECONDS) {
            svg.text(x(second, seconds), top + HEIGHT + 12, "mark", second + " s");
        }
        // Ours is drawn last, so that no other curve covers it.
        for (Side side : List.of(Side.OTHER, Side.OURS)) {
            panel.curves.stream()
                    .filter(curve -> curve.side == side)
                    .forEach(curve -> svg.curve(
                            side.name().toLowerCase(Locale.ROOT), points(curve.perSecond, scale, seconds, top)));
        }
    }

    private static String points(double[] perSecond, Scale scale, int seconds, int top) {
        StringBuilder points = new StringBuilder();
        for (int second = 0; second < perSecond.length; second++) {
            points.append(x(second, seconds))
                    .append(',')
                    .append(height(scale, perSecond[second], top))
                    .append(' ');
        }
        return points.toString().trim();
    }

    private static int x(int second, int seconds) {
        return LEFT + second * (Svg.WIDTH - LEFT - 20) / Math.max(1, seconds);
    }

    private static int height(Scale scale, double value, int top) {
        return top + HEIGHT - (int) Math.round(scale.share(value) * HEIGHT);
    }

    private static String text(double mark) {
        return String.format(Locale.ROOT, mark >= 1 || mark == 0 ? "%,.0f" : "%.2g", mark);
    }
}
