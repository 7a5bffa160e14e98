package io.distributedid.backend.ticket;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.Numbering;
import java.util.List;
import org.junit.jupiter.api.Test;

class NumberingCheckTest {

    private static final String REMEDY =
            ". Write into my.cnf of t1: auto_increment_increment=INCREMENT auto_increment_offset=1,"
                    + " of t2: auto_increment_increment=INCREMENT auto_increment_offset=2, restart the servers, then"
                    + " the applications; or set distributedid.ticket.numbering=client in all applications";

    private final NumberingCheck check = new NumberingCheck(List.of("t1", "t2"));

    @Test
    void oddAndEvenServersAreAccepted() {
        check.accept(0, "a", new Numbering(2, 1));
        check.accept(1, "b", new Numbering(2, 2));
        check.accept(0, "a", new Numbering(2, 1));
    }

    @Test
    void equalOffsetsAreRefused() {
        check.accept(0, "a", new Numbering(2, 1));
        refuses(
                1,
                "b",
                new Numbering(2, 1),
                "each must have its own auto_increment_offset. t1 says increment=2 offset=1,"
                        + " t2 says increment=2 offset=1");
    }

    @Test
    void differentIncrementsAreRefused() {
        check.accept(0, "a", new Numbering(2, 1));
        refuses(
                1,
                "b",
                new Numbering(3, 2),
                "all must have the same auto_increment_increment. t1 says increment=2 offset=1,"
                        + " t2 says increment=3 offset=2");
    }

    @Test
    void anIncrementBelowTheNumberOfServersIsRefused() {
        refuses(
                0,
                "a",
                new Numbering(1, 1),
                "auto_increment_increment must be at least the number of servers, 2. t1 says" + " increment=1 offset=1",
                10);
    }

    @Test
    void anOffsetAboveTheIncrementIsRefused() {
        refuses(
                0,
                "a",
                new Numbering(2, 3),
                "auto_increment_offset must not exceed auto_increment_increment (the server then"
                        + " ignores it). t1 says increment=2 offset=3",
                10);
    }

    @Test
    void anIncrementThatIsLargeEnoughIsAdvised() {
        check.accept(0, "a", new Numbering(5, 1));
        refuses(1, "b", new Numbering(1, 1), "all must have the same auto_increment_increment", 5);
    }

    @Test
    void oneServerListedTwiceIsRefused() {
        check.accept(0, "a", new Numbering(2, 1));
        assertThatThrownBy(() -> check.accept(1, "a", new Numbering(2, 1)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("One ticket server is listed twice: t1 and t2 are the server that says address=a. Allowed:"
                        + " every server once. Write the address of another server into distributedid.ticket.servers"
                        + " in place of one of them; if there is only one server, remove one of them");
    }

    @Test
    void aServerMustNotChangeItsNumbering() {
        check.accept(0, "a", new Numbering(2, 1));
        check.accept(1, "b", new Numbering(2, 2));
        assertThatThrownBy(() -> check.accept(0, "a", new Numbering(3, 1)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A ticket server changed its numbering while this application runs, so two servers could"
                        + " give the same id: t1 says increment=3 offset=1, and said increment=2 offset=1 before."
                        + " Allowed: no change until all applications have stopped. To undo it, write into my.cnf:"
                        + " auto_increment_increment=2 auto_increment_offset=1, and restart the server. To keep it,"
                        + " stop all applications, give all servers the new increment, run distributedid repair for"
                        + " each ticket table, and start the applications again");
    }

    @Test
    void aRefusedServerLeavesTheOthersAsTheyWere() {
        check.accept(0, "a", new Numbering(2, 1));
        refuses(1, "b", new Numbering(2, 1), "each must have");

        check.accept(1, "b", new Numbering(2, 2));
    }

    private void refuses(int server, String identity, Numbering numbering, String rule) {
        refuses(server, identity, numbering, rule, 2);
    }

    private void refuses(int server, String identity, Numbering numbering, String rule, int increment) {
        assertThatThrownBy(() -> check.accept(server, identity, numbering))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("Two ticket servers could give the same id: " + rule)
                .hasMessageEndingWith(REMEDY.replace("INCREMENT", Integer.toString(increment)));
    }
}
