package io.distributedid.it;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Account {
    @Id
    @DistributedId(seq = "accounts")
    Long id;
}
