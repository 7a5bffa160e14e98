package io.distributedid.internal.counter;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A server as tests want it seen: claimed and opened, its counter created, without any id given. */
final class SeenBuilder {

    static final String TOKEN = "token";

    private final int place;

    private Numbering numbering;

    private String identity = "";

    private Optional<NumberingRecord> claim;

    private Optional<CounterRecord> counter;

    private final Map<Long, Witness> witnesses = new HashMap<>();

    private OptionalLong last = OptionalLong.of(0);

    private long slack;

    private long largest = Long.MAX_VALUE;

    private SeenBuilder(int place, int servers) {
        this.place = place;
        this.numbering = new Numbering(servers, place + 1);
        this.identity = "server " + place;
        this.claim = Optional.of(new NumberingRecord(2, numbering, NumberingRecord.State.OPEN, TOKEN));
        this.counter = Optional.of(new CounterRecord(1, 0, identity));
    }

    static SeenBuilder server(int place, int servers) {
        return new SeenBuilder(place, servers);
    }

    SeenBuilder last(long id) {
        last = OptionalLong.of(id);
        return this;
    }

    SeenBuilder largest(long id) {
        largest = id;
        return this;
    }

    SeenBuilder withoutRow() {
        last = OptionalLong.empty();
        return this;
    }

    SeenBuilder withoutCounter() {
        counter = Optional.empty();
        return this;
    }

    /** As a server that no client has used. */
    SeenBuilder empty() {
        claim = Optional.empty();
        return withoutCounter().withoutRow();
    }

    SeenBuilder claim(NumberingRecord.State state, String token) {
        claim = Optional.of(new NumberingRecord(state == NumberingRecord.State.NEW ? 1 : 2, numbering, state, token));
        return this;
    }

    SeenBuilder withoutClaim() {
        claim = Optional.empty();
        return this;
    }

    /** How this client numbers; the claim keeps its own. */
    SeenBuilder numbered(long increment, long offset) {
        numbering = new Numbering(increment, offset);
        return this;
    }

    SeenBuilder counter(long generation, long floor) {
        counter = Optional.of(new CounterRecord(
                generation, floor, counter.map(CounterRecord::identity).orElse(identity)));
        return this;
    }

    SeenBuilder identity(String now) {
        identity = now;
        return this;
    }

    SeenBuilder knows(long offset, long generation, long lastId) {
        witnesses.put(offset, new Witness(generation, lastId));
        return this;
    }

    SeenBuilder knowsNotCreated(long offset) {
        return knows(offset, 0, Witness.NOT_CREATED);
    }

    SeenBuilder slack(long ids) {
        slack = ids;
        return this;
    }

    Seen build() {
        return new Seen(
                place,
                "s" + (place + 1),
                numbering,
                identity,
                claim,
                counter,
                Map.copyOf(witnesses),
                last,
                slack,
                largest,
                false,
                "session");
    }
}
