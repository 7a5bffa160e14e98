package photos;

import java.util.List;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Select;

/** The statements. They name the id like any other column. */
public interface PhotoMapper {

    @Insert("INSERT INTO photo (id, title) VALUES (#{id}, #{title})")
    int insert(Photo photo);

    @Insert({
        "<script>INSERT INTO photo (id, title) VALUES",
        "<foreach collection='list' item='photo' separator=','>(#{photo.id}, #{photo.title})</foreach></script>"
    })
    int insertAll(List<Photo> photos);

    @Select("SELECT id, title FROM photo WHERE id = #{id}")
    Photo find(long id);
}
