package io.distributedid.simulation;

import java.util.Map;

/** A run that comes to no end. */
final class Stalled extends AssertionError {

    private static final long serialVersionUID = 1L;

    Stalled(String message) {
        super(message);
    }

    /** With the stacks of all threads. */
    static Stalled withStacks(String message) {
        StringBuilder stacks = new StringBuilder(message);
        for (Map.Entry<Thread, StackTraceElement[]> each :
                Thread.getAllStackTraces().entrySet()) {
            stacks.append('\n').append(each.getKey());
            for (StackTraceElement element : each.getValue()) {
                stacks.append("\n    ").append(element);
            }
        }
        return new Stalled(stacks.toString());
    }
}
