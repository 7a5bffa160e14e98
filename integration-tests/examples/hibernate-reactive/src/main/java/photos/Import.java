package photos;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A photo of another site, which keeps its id if it has one. */
@Entity
public class Import {

    @Id
    @DistributedId(seq = "imports", assigned = true)
    public Long id;

    public String source;

    protected Import() {}

    public Import(Long id, String source) {
        this.id = id;
        this.source = source;
    }
}
