package io.distributedid.internal.lease;

import io.distributedid.internal.lease.OrderModel.Proof;
import io.distributedid.internal.lease.OrderModel.Rules;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Row;
import java.util.ArrayList;
import java.util.List;

/** The rules of {@link LeaseProtocol} alone. */
final class OrderRules implements Rules {

    @Override
    public List<LeaseRequest> requests(
            LeaseProtocol protocol, LeaseState known, int values, String owner, String token) {
        List<LeaseRequest> requests = new ArrayList<>();
        Lease held = known.held();
        Row row = held == null ? known.seen().row() : held.row();
        long bound = row.number();
        for (long next = held == null ? bound + 1 : bound; next <= Math.min(values, bound + 1); next++) {
            requests.add(
                    held == null
                            ? protocol.claim(row, OrderModel.HEADER, 0, next, owner, token, 0)
                            : protocol.renew(held, OrderModel.HEADER, 0, next, owner, token, 0));
        }
        return requests;
    }

    @Override
    public Change handBack(LeaseState known, long unused, String token) {
        return LeaseProtocol.handBack(known, unused, token).orElseThrow();
    }

    @Override
    public Proof proof() {
        return Proof.TAKEN_THEN_CHECKED;
    }

    @Override
    public boolean confirms(long tenure, LeaseState read) {
        throw new AssertionError("No read confirms a call");
    }
}
