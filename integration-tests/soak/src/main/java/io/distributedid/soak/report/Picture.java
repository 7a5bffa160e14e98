package io.distributedid.soak.report;

import io.distributedid.soak.fault.Fault;
import io.distributedid.soak.fault.Incident;
import io.distributedid.soak.ledger.Timeline;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** All rounds over time: ids, waits, calls that were refused, and a row for each kind of fault. */
final class Picture {

    private static final double LEFT = 205;

    private static final double PLOT = Svg.WIDTH - LEFT - 10;

    private static final int PANEL = 90;

    private static final int ROW = 16;

    private static final int IDS_TOP = 60;

    private static final int WAITS_TOP = IDS_TOP + PANEL + 30;

    private static final int FAULTS_TOP = WAITS_TOP + PANEL + 30;

    private static final double LEAST_WIDTH = 1.2;

    private static final long SECOND = 1_000_000_000;

    /** Waits are drawn by their logarithm, from a millisecond to this. */
    private static final double LONGEST_MILLIS = 100_000;

    private final List<RoundResult> rounds;

    private final long began;

    private final double seconds;

    private final Svg svg = new Svg("Ids, waits and faults over time");

    private Picture(List<RoundResult> rounds) {
        this.rounds = rounds;
        began = rounds.get(0).timeline().began();
        Timeline last = rounds.get(rounds.size() - 1).timeline();
        seconds = Math.max(1, (last.began() - began) / (double) SECOND + last.seconds());
    }

    /** Draws it; at least one round. */
    static String of(List<RoundResult> rounds) {
        Picture picture = new Picture(rounds);
        picture.drawRounds();
        picture.drawIds();
        picture.drawWaits();
        return picture.svg.document(picture.drawFaults());
    }

    private double x(double second) {
        return LEFT + PLOT * second / seconds;
    }

    private double second(long nanos) {
        return (nanos - began) / (double) SECOND;
    }

    private void drawRounds() {
        svg.text(0, 44, "note", "round");
        for (RoundResult round : rounds) {
            double from = second(round.timeline().began());
            svg.line(x(from), 34, x(from), FAULTS_TOP + ROW * Fault.values().length);
            svg.text(x(from) + 3, 44, "note", Integer.toString(round.number()));
        }
    }

    /** One bar for each pixel at most; the highest second counts. */
    private interface Value {
        long in(Timeline timeline, int second);
    }

    private long[] columns(Value value) {
        long[] columns = new long[(int) PLOT];
        for (RoundResult round : rounds) {
            for (int i = 0; i < round.timeline().seconds(); i++) {
                int column = column(second(round.timeline().began()) + i);
                columns[column] = Math.max(columns[column], value.in(round.timeline(), i));
            }
        }
        return columns;
    }

    private int column(double second) {
        return (int) Math.min(PLOT - 1, PLOT * second / seconds);
    }

    private double columnWidth() {
        return Math.max(LEAST_WIDTH, PLOT / seconds);
    }

    private void drawIds() {
        long[] columns = columns(Timeline::ids);
        long most = Math.max(1, Arrays.stream(columns).max().orElse(1));
        svg.text(0, IDS_TOP + 12, "panel", "ids in a second");
        svg.text(LEFT - 6, IDS_TOP + 10, "right", Long.toString(most));
        for (int i = 0; i < columns.length; i++) {
            if (columns[i] > 0) {
                double height = PANEL * columns[i] / (double) most;
                svg.bar("ids", LEFT + i, IDS_TOP + PANEL - height, columnWidth(), height);
            }
        }
        svg.line(LEFT, IDS_TOP + PANEL, LEFT + PLOT, IDS_TOP + PANEL);
    }

    private void drawWaits() {
        svg.text(0, WAITS_TOP + 12, "panel", "longest call in a second");
        svg.text(0, WAITS_TOP + 28, "refused", "red: calls were refused");
        for (int power = 0; power <= 5; power++) {
            double y = WAITS_TOP + PANEL - PANEL * power / 5.0;
            svg.line(LEFT, y, LEFT + PLOT, y);
            svg.text(
                    LEFT - 6,
                    y + 4,
                    "right",
                    power < 3 ? (int) Math.pow(10, power) + " ms" : (int) Math.pow(10, power - 3) + " s");
        }
        long[] waits = columns(Timeline::wait);
        long[] refused = columns(Timeline::refused);
        for (int i = 0; i < waits.length; i++) {
            double millis = waits[i] / 1e6;
            if (millis > 1) {
                double height = PANEL * Math.log10(Math.min(millis, LONGEST_MILLIS)) / Math.log10(LONGEST_MILLIS);
                svg.bar(
                        refused[i] > 0 ? "refused" : "wait",
                        LEFT + i,
                        WAITS_TOP + PANEL - height,
                        columnWidth(),
                        height);
            }
        }
    }

    /** Returns where the picture ends. */
    private int drawFaults() {
        int y = FAULTS_TOP;
        for (Fault fault : Fault.values()) {
            svg.text(0, y + 11, "note", name(fault));
            for (RoundResult round : rounds) {
                for (Incident incident : round.incidents()) {
                    if (incident.fault() == fault) {
                        draw(incident, y);
                    }
                }
            }
            y += ROW;
        }
        svg.text(LEFT, y + 14, "note", "0 min");
        svg.text(LEFT + PLOT, y + 14, "right", String.format(Locale.ROOT, "%.1f min", seconds / 60));
        return y + 24;
    }

    private void draw(Incident incident, int y) {
        double from = x(second(incident.begin()));
        double width = Math.max(LEAST_WIDTH, x(second(incident.end())) - from);
        svg.bar(
                incident.fault().isOfServers() ? "server" : "application",
                from,
                y + 2.0,
                width,
                ROW - 4.0,
                incident.detail());
    }

    private static String name(Fault fault) {
        return fault.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
