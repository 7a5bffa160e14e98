package photos;

import io.distributedid.DistributedId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;

@Entity
public class Album {

    @Id
    @DistributedId(seq = "albums")
    public Long id;

    public String title;

    @OneToMany(mappedBy = "album", cascade = CascadeType.PERSIST)
    public List<Photo> photos = new ArrayList<>();

    protected Album() {}

    public Album(String title) {
        this.title = title;
    }

    public Photo add(Photo photo) {
        photo.album = this;
        photos.add(photo);
        return photo;
    }
}
