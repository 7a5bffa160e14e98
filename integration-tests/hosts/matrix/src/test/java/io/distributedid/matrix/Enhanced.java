package io.distributedid.matrix;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.Basic;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;

/** An entity whose byte code is enhanced when the {@link EnhancingLoader} loads it. */
@Entity
public class Enhanced implements Numbered {

    @Id
    @DistributedId(seq = "ids")
    private Long id;

    @DistributedValue(seq = "numbers")
    private Long number;

    @Basic(fetch = FetchType.LAZY)
    private String text = "text";

    @Override
    public long number() {
        return number;
    }

    public Long id() {
        return id;
    }

    public String text() {
        return text;
    }
}
