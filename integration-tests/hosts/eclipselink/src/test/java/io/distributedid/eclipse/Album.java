package io.distributedid.eclipse;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

/** Names a generator that the unit does not define: a sequence of ours. */
@Entity
public class Album {

    @Id
    @GeneratedValue(generator = "albums")
    long id;
}
