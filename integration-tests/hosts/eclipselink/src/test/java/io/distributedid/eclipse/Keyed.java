package io.distributedid.eclipse;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** With a number per key, which only Hibernate supports. */
@Entity
public class Keyed {

    @Id
    @DistributedId(seq = "keyed")
    Long id;

    String customer;

    @DistributedValue(seq = "invoices", per = "customer")
    Long number;
}
