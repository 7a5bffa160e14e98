package benchmarks;

/** What a group draws. */
@FunctionalInterface
public interface Picture {

    /**
     * As SVG.
     *
     * @param origin the last note below it: which run drew it, where
     * @return a whole document
     */
    String svg(String origin);
}
