package photosite;

import java.util.List;
import java.util.Optional;

/** What a member of the site can do. Every row gets its key from {@code persist()}, whichever shard it is stored on. */
final class PhotoSite {

    private final Directory directory;

    private final Shards shards;

    PhotoSite(Directory directory, Shards shards) {
        this.directory = directory;
        this.shards = shards;
    }

    User signUp(String name, int shard) {
        User user = new User(name);
        shards.get(shard).runInTransaction(entities -> entities.persist(user));
        directory.add(user.id(), shard);
        return user;
    }

    /** Stores photos in one transaction, with JDBC batches. */
    List<Photo> upload(long user, List<String> titles) {
        return directory.atHome(
                user,
                shard -> shards.get(shard).callInTransaction(entities -> {
                    User owner = entities.getReference(User.class, user);
                    List<Photo> photos = titles.stream()
                            .map(title -> new Photo(owner, title))
                            .toList();
                    photos.forEach(entities::persist);
                    return photos;
                }));
    }

    Comment comment(long author, long owner, long photo, String text) {
        return directory.atHome(
                owner,
                shard -> shards.get(shard).callInTransaction(entities -> {
                    Comment comment = new Comment(entities.getReference(Photo.class, photo), author, text);
                    entities.persist(comment);
                    return comment;
                }));
    }

    /** A ticket does not say where its row lies, so that links to a photo name its owner too, as Flickr's do. */
    Optional<Photo> find(long owner, long photo) {
        return directory.atHome(
                owner,
                shard -> shards.get(shard)
                        .callInTransaction(entities -> Optional.ofNullable(entities.find(Photo.class, photo))));
    }
}
