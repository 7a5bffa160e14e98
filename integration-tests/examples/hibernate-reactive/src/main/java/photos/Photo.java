package photos;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;

@Entity
public class Photo {

    @Id
    @DistributedId(seq = "photos")
    public Long id;

    public String words;

    /** The number under which it may be ordered. */
    @DistributedValue(seq = "orders")
    public Long number;

    @ManyToOne(fetch = FetchType.LAZY)
    public Album album;

    protected Photo() {}

    public Photo(String words) {
        this.words = words;
    }
}
