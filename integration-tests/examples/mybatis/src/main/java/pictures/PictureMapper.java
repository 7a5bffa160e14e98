package pictures;

import com.baomidou.mybatisplus.core.mapper.BaseMapper;

/** The statements of MyBatis-Plus. */
public interface PictureMapper extends BaseMapper<Picture> {}
