package contender;

import java.util.concurrent.atomic.AtomicLong;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The most that a service of ids on Spring Boot could do, such as Leaf: its ids cost nothing, and its path has no
 * parameters. Everything else is a default.
 */
@SpringBootApplication
@RestController
public class SpringServer {

    private final AtomicLong last = new AtomicLong();

    /** Says where it listens, and runs until it is killed. */
    public static void main(String[] args) {
        String port = SpringApplication.run(SpringServer.class, "--server.port=0", "--server.address=127.0.0.1")
                .getEnvironment()
                .getRequiredProperty("local.server.port");
        System.out.println("The server listens at http://127.0.0.1:" + port);
    }

    /** Gives an id, as a text like Leaf. */
    @PostMapping("/v1/sequences/photos/ids")
    String next() {
        return Long.toString(last.incrementAndGet());
    }
}
