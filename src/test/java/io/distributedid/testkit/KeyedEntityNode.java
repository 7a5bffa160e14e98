package io.distributedid.testkit;

import io.distributedid.testkit.KeyedEntityContract.Invoice;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PessimisticLockException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.Transaction;

/** A process whose threads insert invoices of a few customers, and roll some of them back, until it is killed. */
final class KeyedEntityNode implements AutoCloseable {

    private static final int THREADS = 3;

    private final Process process;

    private final Path log;

    private KeyedEntityNode(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static KeyedEntityNode start(Path folder, String url, int customers) throws IOException {
        Path log = Files.createTempFile(folder, "invoices", ".log");
        Process process = JavaProcess.of("128m", KeyedEntityNode.class, Map.of(), url, customers)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new KeyedEntityNode(process, log);
    }

    void requireAlive() throws IOException {
        if (!process.isAlive()) {
            throw new AssertionError("The node ended: " + log());
        }
    }

    String log() throws IOException {
        return TestFiles.read(log);
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself. */
    public static void main(String[] args) throws Exception {
        int customers = Integer.parseInt(args[2]);
        try (SessionFactory factory = KeyedEntityContract.start(args[1])) {
            Together.run(THREADS, thread -> {
                ThreadLocalRandom random = ThreadLocalRandom.current();
                while (!Thread.currentThread().isInterrupted()) {
                    try {
                        insert(factory, random, customers);
                    } catch (OptimisticLockException | PessimisticLockException e) {
                        // The rollback of a key's first transaction may be a deadlock of those that wait for the key.
                        continue;
                    }
                }
                return true;
            });
        }
    }

    private static void insert(SessionFactory factory, ThreadLocalRandom random, int customers) {
        try (Session session = factory.openSession()) {
            Transaction transaction = session.beginTransaction();
            for (int i = random.nextInt(5); i >= 0; i--) {
                session.persist(new Invoice("c" + random.nextInt(customers)));
            }
            session.flush();
            if (random.nextInt(4) == 0) {
                transaction.rollback();
            } else {
                transaction.commit();
            }
        }
    }
}
