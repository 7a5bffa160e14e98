package chat;

import java.io.InputStream;
import java.util.List;
import java.util.logging.LogManager;
import java.util.stream.LongStream;

/** A chat on two shards, whose messages and invoices are numbered without gaps. */
public final class Chat {

    private static final List<Long> CONVERSATIONS = List.of(1L, 2L, 3L, 4L);

    private Chat() {}

    /** Fails if a reader misses a message, or a number is missing. */
    public static void main(String[] args) throws Exception {
        try (InputStream logging = Chat.class.getResourceAsStream("/logging.properties")) {
            LogManager.getLogManager().readConfiguration(logging);
        }
        try (Shards shards = new Shards()) {
            talk(shards);
            bill(shards);
        }
    }

    private static void talk(Shards shards) throws Exception {
        List<Reader> readers = CONVERSATIONS.stream()
                .map(conversation -> new Reader(shards, conversation))
                .toList();
        long read = 0;
        try (Writers writers = new Writers(shards, CONVERSATIONS)) {
            while (!writers.areDone()) {
                // The last reader is away.
                for (Reader reader : readers.subList(0, readers.size() - 1)) {
                    read += reader.read();
                }
            }
            writers.await();
        }
        long missed = readers.get(readers.size() - 1).unread();
        System.out.println("chat: " + read + " messages read while they were written, " + missed
                + " unread by the reader who was away");
        for (Reader reader : readers) {
            read += reader.read();
        }
        if (read != Writers.COMMITTED) {
            throw new IllegalStateException("read=" + read + ", written=" + Writers.COMMITTED);
        }
        System.out.println("chat: all " + read + " messages read, none missed");
    }

    private static void bill(Shards shards) {
        for (int month = 1; month <= 12; month++) {
            for (String customer : List.of("ada", "ben")) {
                boolean isRefused = month % 5 == 0;
                shards.of(customer).runInTransaction(entities -> {
                    entities.persist(new Invoice(customer, 990));
                    entities.flush();
                    if (isRefused) {
                        entities.getTransaction().setRollbackOnly();
                    }
                });
            }
        }
        for (String customer : List.of("ada", "ben")) {
            List<Long> numbers = shards.of(customer)
                    .callInTransaction(entities -> entities.createQuery(
                                    "select number from Invoice where customer = :customer order by number", Long.class)
                            .setParameter("customer", customer)
                            .getResultList());
            System.out.println("chat: invoices of " + customer + ": " + numbers);
            if (!numbers.equals(LongStream.rangeClosed(1, 10).boxed().toList())) {
                throw new IllegalStateException("A number of " + customer + " is missing: " + numbers);
            }
        }
    }
}
