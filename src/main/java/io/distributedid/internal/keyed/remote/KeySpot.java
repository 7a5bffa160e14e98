package io.distributedid.internal.keyed.remote;

import io.distributedid.DistributedIdException;
import io.distributedid.internal.keyed.source.KeyHash;
import io.distributedid.internal.service.Outage;
import io.distributedid.internal.service.ServiceServer;
import io.distributedid.internal.service.Subject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What is asked for. Calls with equal spots share a request. Only a server that can't be reached is left out: one
 * without a number of this key may have those of others.
 *
 * @param want what the answer is
 */
record KeySpot(Keys of, String key, Want want, @Override Duration timeout) implements Subject {

    /**
     * The keys of a sequence, and which server gave the last answer about each part of them. This is a hint: a server
     * refuses keys that are not its own, and says whose they are.
     */
    static final class Keys {

        /** A power of two, as the sections of a service by default: then a part belongs to one server. */
        private static final int PARTS = 1_024;

        private final String sequence;

        private final Outage outage = new Outage();

        private final AtomicReferenceArray<ServiceServer> owners = new AtomicReferenceArray<>(PARTS);

        Keys(String sequence) {
            this.sequence = sequence;
        }

        private static int part(String key) {
            return KeyHash.section(KeyHash.number(key), PARTS);
        }
    }

    enum Want {
        /** Numbers that are taken. */
        NUMBERS,
        /** The last number of the key. */
        LAST,
        /** A number that those of the key that were given do not exceed. */
        BOUND
    }

    String sequence() {
        return of.sequence;
    }

    /** Whether no number is taken. */
    boolean isRead() {
        return want != Want.NUMBERS;
    }

    /** A server has given a number of the key. */
    void learn(ServiceServer owner) {
        of.owners.set(Keys.part(key), owner);
    }

    @Override
    public Optional<ServiceServer> likely() {
        return Optional.ofNullable(of.owners.get(Keys.part(key)));
    }

    /** A refusal is about the key, or meets all servers. */
    @Override
    public boolean isFinal(Exception failure) {
        return failure instanceof DistributedIdException;
    }

    @Override
    public Outage outage() {
        return of.outage;
    }

    /**
     * Then all who share the request are gone, since they came before it. A bound is waited for in an old outage, too:
     * a start divides its time among several keys.
     */
    @Override
    public boolean isGivenUp(long began, long now) {
        return now - began > timeout.toNanos() || (want != Want.BOUND && of.outage.isLongerThan(timeout, now));
    }

    @Override
    public String none() {
        return "No server gives a number: " + this;
    }

    /** For messages. */
    @Override
    public String toString() {
        return "seq=" + of.sequence + " key=" + key;
    }
}
