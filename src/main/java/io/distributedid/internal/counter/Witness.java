package io.distributedid.internal.counter;

/**
 * How far a server had come, as a server's {@link RecordStore} holds it.
 *
 * @param generation of the counter at that time
 * @param last its last id at that time; {@link #NOT_CREATED} if the counter was created while that server was away
 */
public record Witness(long generation, long last) {

    /** The only permission to create a counter on a server later than on the others. */
    public static final long NOT_CREATED = -1;

    public boolean isNotCreated() {
        return last == NOT_CREATED;
    }

    /** For messages, after a word such as "which". Empty if no id is known: a repair keeps notes without their ids. */
    String given(String before) {
        return last > 0 ? before + " gave id=" + last : "";
    }
}
