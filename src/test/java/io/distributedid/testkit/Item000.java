package io.distributedid.testkit;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** The pattern of the {@link Items}. */
@Entity(name = "Item000")
@Table(name = "item000")
class Item000 {
    @Id
    @DistributedId(seq = "items000")
    Long id;
}
