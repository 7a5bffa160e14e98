package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What copies of a process give, told and untold. Subclasses name their {@code kinds()}. */
public abstract class CopiedProcessContract {

    /** A process. */
    protected abstract DistributedIds open(String kind);

    /** Lets the copy hold what the original holds. */
    protected abstract void copyMemory(DistributedIds original, DistributedIds copy);

    /** How many ids each copy takes. */
    protected abstract int taken(boolean bothBeginAnew);

    /** Two that hold the same, and have come as far; returns what the original gave. */
    protected final List<Long> useAndCopy(DistributedIds original, DistributedIds copy) {
        List<Long> taken = new ArrayList<>();
        copy.next("photos");
        for (int i = 0; i < 3; i++) {
            taken.add(original.next("photos"));
        }
        copyMemory(original, copy);
        return taken;
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void copiesThatBothBeginAnewGiveNoIdTwice(String kind) {
        try (DistributedIds original = open(kind);
                DistributedIds copy = open(kind)) {
            List<Long> taken = useAndCopy(original, copy);

            original.beginAnew();
            copy.beginAnew();
            taken.addAll(CopiedProcess.take(original, copy, "photos", taken(true)));

            assertThat(CopiedProcess.duplicates(taken)).isZero();
        }
    }

    /** One of them may keep what both had. */
    @ParameterizedTest
    @MethodSource("kinds")
    void aCopyThatBeginsAnewRepeatsNothingOfOneThatGoesOn(String kind) {
        try (DistributedIds original = open(kind);
                DistributedIds copy = open(kind)) {
            List<Long> taken = useAndCopy(original, copy);

            copy.beginAnew();
            taken.addAll(CopiedProcess.take(original, copy, "photos", taken(false)));

            assertThat(CopiedProcess.duplicates(taken)).isZero();
        }
    }
}
