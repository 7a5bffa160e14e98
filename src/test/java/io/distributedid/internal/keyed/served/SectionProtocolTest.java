package io.distributedid.internal.keyed.served;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.lease.Lease;
import io.distributedid.internal.lease.LeaseProtocol;
import io.distributedid.internal.lease.LeaseRequest;
import io.distributedid.internal.lease.LeaseState;
import io.distributedid.internal.lease.OrderModel;
import io.distributedid.internal.lease.OrderModel.Fault;
import io.distributedid.internal.lease.OrderModel.Proof;
import io.distributedid.internal.lease.OrderModel.Rules;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Version;
import io.distributedid.testkit.Explorer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The promise of {@link SectionProtocol}, checked for a key over every state that a small world can reach. The value v
 * of {@link OrderModel} is the number v + 1. A call may take any number that is larger than the key's last one: so it
 * takes several, or the key was dropped, or another key had {@code max} raised.
 *
 * <p>{@code -Dsections.owners=3} explores three processes with as many numbers as two, which takes minutes.
 */
@Tag("slow")
@Tag("model")
class SectionProtocolTest {

    private static final int OWNERS = Integer.getInteger("sections.owners", 2);

    private static final Version HEADER = OrderModel.HEADER;

    private static final long SLOW = OrderModel.STEP * 99 / 100;

    private static final long FAST = OrderModel.STEP * 101 / 100;

    /**
     * The decisions of {@link SectionProtocol}, with a step of 1.
     *
     * @param lowers whether a hand-over lowers {@code max} to the largest number that was taken
     */
    private record SectionRules(Proof proof, boolean lowers) implements Rules {

        @Override
        public List<LeaseRequest> requests(
                LeaseProtocol protocol, LeaseState known, int values, String owner, String token) {
            SectionProtocol section = new SectionProtocol(protocol, 1);
            List<LeaseRequest> requests = new ArrayList<>();
            Lease held = known.held();
            if (held == null) {
                Row row = known.seen().row();
                requests.add(protocol.claim(row, HEADER, 0, section.raised(row.number()), owner, token, 0));
            } else {
                for (long wanted : new long[] {0, held.bound()}) {
                    requests.add(protocol.renew(held, HEADER, 0, section.max(held, wanted), owner, token, 0));
                }
            }
            requests.removeIf(request -> request.lease().bound() > values);
            return requests;
        }

        @Override
        public Change handBack(LeaseState known, long unused, String token) {
            return LeaseProtocol.handBack(known, lowers ? unused : Long.MAX_VALUE, token)
                    .orElseThrow();
        }

        @Override
        public boolean confirms(long tenure, LeaseState read) {
            throw new AssertionError("No read confirms a call");
        }
    }

    private static Explorer.Result explore(long slowest, Fault fault, Proof proof, boolean lowers) {
        return explore(OWNERS, 3, slowest, fault, proof, lowers);
    }

    private static Explorer.Result explore(
            int owners, int numbers, long slowest, Fault fault, Proof proof, boolean lowers) {
        Explorer.Result result =
                new OrderModel(owners, numbers, slowest, FAST, fault, new SectionRules(proof, lowers)).explore();
        System.out.println("section, " + owners + " owners, " + proof + ", " + fault + ": " + result.states()
                + " states\n  " + String.join("\n  ", result.trace()));
        return result;
    }

    private static Explorer.Result explore(Fault fault, Proof proof) {
        return explore(SLOW, fault, proof, false);
    }

    @Test
    void everyNumberIsLargerThanAllThatArrivedBeforeItsCallBegan() {
        Explorer.Result result = explore(Fault.NONE, Proof.TAKEN_THEN_CHECKED);

        assertThat(result.trace()).as("steps to a violation").isEmpty();
        assertThat(result.states()).isGreaterThan(10_000);
    }

    @Test
    void threeOwnersKeepThePromiseToo() {
        assertThat(explore(3, 2, SLOW, Fault.NONE, Proof.TAKEN_THEN_CHECKED, false)
                        .trace())
                .isEmpty();
        assertBroken(explore(3, 2, SLOW, Fault.CLAIMED_AT_ONCE, Proof.TAKEN_THEN_CHECKED, false));
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void withoutARuleAViolationIsFound(Fault fault) {
        assertBroken(explore(fault, Proof.TAKEN_THEN_CHECKED));
    }

    @Test
    void ifRatesDifferByMoreThanTheMarginAViolationIsFound() {
        assertBroken(explore(SLOW - 1, Fault.NONE, Proof.TAKEN_THEN_CHECKED, false));
    }

    @Test
    void ifAHandOverLowersMaxAndCallsCheckBeforeTheyIncrementAViolationIsFound() {
        assertBroken(explore(SLOW, Fault.NONE, Proof.CHECKED_THEN_TAKEN, true));
    }

    @Test
    void eitherOfBothRulesOfAHandOverIsEnough() {
        assertThat(explore(SLOW, Fault.NONE, Proof.TAKEN_THEN_CHECKED, true).trace())
                .isEmpty();
        assertThat(explore(Fault.NONE, Proof.CHECKED_THEN_TAKEN).trace()).isEmpty();
    }

    private static void assertBroken(Explorer.Result result) {
        assertThat(result.trace()).isNotEmpty().last().asString().contains("was answered before");
    }
}
