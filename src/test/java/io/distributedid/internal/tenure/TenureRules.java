package io.distributedid.internal.tenure;

import io.distributedid.internal.tenure.TenureModel.Proof;
import io.distributedid.internal.tenure.TenureModel.Rules;
import java.util.ArrayList;
import java.util.List;

/** The rules of {@link TenureProtocol} alone. */
final class TenureRules implements Rules {

    @Override
    public List<TenureRequest> requests(
            TenureProtocol protocol, TenureState known, int values, String owner, String token) {
        List<TenureRequest> requests = new ArrayList<>();
        Term held = known.held();
        long bound = held == null ? TenureProtocol.from(known) : held.bound();
        for (long next = held == null ? bound + 1 : bound; next <= Math.min(values, bound + 1); next++) {
            requests.add(protocol.request(known, next, owner, token, 0));
        }
        return requests;
    }

    @Override
    public TenureRequest handBack(TenureProtocol protocol, Term held, long unused, String token) {
        return protocol.handBack(held, unused, token, 0);
    }

    @Override
    public Proof proof() {
        return Proof.TAKEN_THEN_CHECKED;
    }
}
