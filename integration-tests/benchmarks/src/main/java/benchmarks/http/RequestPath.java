package benchmarks.http;

/**
 * What is asked for.
 *
 * @param text of the path, with its parameters
 * @param keys of so many keys, each request draws one, which stands behind the text; 0: all requests are the same
 */
public record RequestPath(String text, int keys) {

    /** Each key has as many digits, so that all requests are as long. */
    static final int KEY_DIGITS = 7;

    /** The keys follow this one. */
    public static final int FIRST_KEY = 1_000_000;

    public RequestPath {
        if (keys < 0 || keys > 9 * FIRST_KEY) {
            throw new IllegalArgumentException(
                    "A key must have " + KEY_DIGITS + " digits: keys=" + keys + ", allowed: 0 to " + 9 * FIRST_KEY);
        }
    }

    /** The same path for all requests. */
    public static RequestPath of(String text) {
        return new RequestPath(text, 0);
    }
}
