package pictures;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import io.distributedid.DistributedId;

/** A picture, as MyBatis-Plus stores it. */
@TableName("picture")
public class Picture {

    @TableId(type = IdType.ASSIGN_ID)
    @DistributedId(seq = "pictures")
    private Long id;

    private String title;

    protected Picture() {}

    public Picture(String title) {
        this.title = title;
    }

    public Long id() {
        return id;
    }

    public String title() {
        return title;
    }
}
