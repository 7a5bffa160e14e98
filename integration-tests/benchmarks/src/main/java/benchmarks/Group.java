package benchmarks;

/** A group of measurements, started by its name; a new one is a class and its line in {@link Benchmarks}. */
public interface Group {

    /**
     * What {@code -Dbench} calls it, and what its chart is called.
     *
     * @return lower case
     */
    String name();

    /**
     * Measures, and reports tables, ratios and a chart.
     *
     * @param report takes what was found
     * @param quick whether to be done within three minutes on two cores
     * @throws Exception if something could not be measured
     */
    void run(Report report, boolean quick) throws Exception;
}
