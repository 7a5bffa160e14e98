package photosite;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** Which shard a user lives on: a row of the directory. */
@Entity
@Table(name = "homes")
public class Home {

    @Id
    private Long userId;

    private int shard;

    protected Home() {}

    Home(long userId, int shard) {
        this.userId = userId;
        this.shard = shard;
    }

    int shard() {
        return shard;
    }

    void moveTo(int newShard) {
        shard = newShard;
    }
}
