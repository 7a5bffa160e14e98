package photos;

import org.springframework.data.repository.ListCrudRepository;

public interface PhotoRepository extends ListCrudRepository<Photo, Long> {}
