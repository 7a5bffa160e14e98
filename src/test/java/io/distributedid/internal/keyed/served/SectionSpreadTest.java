package io.distributedid.internal.keyed.served;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SectionSpreadTest {

    private static final int SECTIONS = 1_000;

    @Test
    void membersOwnAboutAsMany() {
        Map<String, Integer> sizes = new HashMap<>();
        for (int section = 0; section < SECTIONS; section++) {
            sizes.merge(SectionSpread.owner(section, Set.of("a:1", "b:1", "c:1", "d:1")), 1, Integer::sum);
        }
        assertThat(sizes).hasSize(4);
        assertThat(sizes.values()).allMatch(size -> size > 200 && size < 300);
    }

    @Test
    void theOrderOfTheMembersChangesNothing() {
        for (int section = 0; section < SECTIONS; section++) {
            assertThat(SectionSpread.owner(section, new LinkedHashSet<>(List.of("a", "b", "c"))))
                    .isEqualTo(SectionSpread.owner(section, new LinkedHashSet<>(List.of("c", "b", "a"))));
        }
    }

    @Test
    void whenAMemberGoesOnlyItsSectionsMoveAndWhenItComesOnlyToIt() {
        int moved = 0;
        for (int section = 0; section < SECTIONS; section++) {
            String three = SectionSpread.owner(section, Set.of("a", "b", "c"));
            String two = SectionSpread.owner(section, Set.of("a", "b"));
            if (three.equals("c")) {
                moved++;
            } else {
                assertThat(two).isEqualTo(three);
            }
        }
        assertThat(moved).isBetween(270, 400);
    }

    /** Processes of different releases must agree. */
    @Test
    void theOwnerOfASectionNeverChanges() {
        assertThat(IntStream.range(0, 12)
                        .mapToObj(section -> SectionSpread.owner(section, Set.of("a", "b", "c")))
                        .collect(Collectors.joining()))
                .isEqualTo("cabbabbaabcb");
    }

    @Test
    void withoutMembersNoneOwns() {
        assertThatThrownBy(() -> SectionSpread.owner(3, Set.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A section needs a live member to own it: section=3");
    }

    @Test
    void aMemberThatComesGetsItsSectionsOneAtATimeFromEach() {
        Set<String> members = Set.of("a", "b", "c");
        String[] owners = new String[100];
        Arrays.setAll(owners, section -> SectionSpread.owner(section, Set.of("a", "b")));
        Map<String, OptionalInt> last = new HashMap<>(Map.of("a", OptionalInt.empty(), "b", OptionalInt.empty()));
        int rounds = 0;
        boolean isMoving = true;
        while (isMoving) {
            rounds++;
            isMoving = false;
            Set<Integer> free = new HashSet<>();
            for (String member : List.of("a", "b")) {
                OptionalInt next = SectionSpread.handOver(member, list(owners), members, last.get(member));
                if (next.isPresent()) {
                    isMoving = true;
                    owners[next.getAsInt()] = null;
                    free.add(next.getAsInt());
                    last.put(member, next);
                    assertThat(SectionSpread.handOver(member, list(owners), members, next))
                            .as("a second one before the first has an owner")
                            .isEmpty();
                }
            }
            for (int section : free) {
                assertThat(SectionSpread.mayClaim("a", section, owners[section], members))
                        .isFalse();
                assertThat(SectionSpread.mayClaim("c", section, owners[section], members))
                        .isTrue();
                owners[section] = "c";
            }
        }
        assertThat(rounds).isGreaterThan(10);
        for (int section = 0; section < owners.length; section++) {
            assertThat(owners[section]).isEqualTo(SectionSpread.owner(section, members));
            assertThat(SectionSpread.mayClaim("c", section, owners[section], members))
                    .isFalse();
        }
    }

    private static List<String> list(String[] owners) {
        return new ArrayList<>(Arrays.asList(owners));
    }
}
