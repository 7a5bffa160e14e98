package photos;

import java.util.List;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;

/** A process that uploads photos and comments, while another one does the same. */
public final class Uploader {

    static final int PHOTOS = 500;

    static final int COMMENTS = 500;

    private static final int BATCH = 100;

    private Uploader() {}

    public static void main(String[] args) {
        try (ConfigurableApplicationContext application = SpringApplication.run(PhotoApplication.class, args)) {
            Flux<Comment> comments = Flux.range(0, COMMENTS)
                    .map(i -> new Comment(i, "nice"))
                    .flatMap(application.getBean(CommentRepository.class)::save, 8);
            PhotoRepository photos = application.getBean(PhotoRepository.class);
            var written = comments.count().toFuture();
            for (int from = 0; from < PHOTOS; from += BATCH) {
                List<Photo> album = IntStream.range(from, from + BATCH)
                        .mapToObj(i -> new Photo("photo " + i))
                        .toList();
                photos.saveAll(album);
            }
            if (written.join() != COMMENTS) {
                throw new IllegalStateException("Not all comments were written");
            }
        }
    }
}
