package io.distributedid.backend.snowflake.lease;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Whether servers have one store of worker numbers, by what each has said last. Two stores would give the same numbers
 * twice. For one thread at a time.
 */
final class OneStore {

    /** Of a store without a record. */
    private static final String NONE = StoreRecord.identity(null);

    /** Asks all servers for the identity of their store, and waits for all. */
    @FunctionalInterface
    interface Question {

        List<StoreQuestion.Ended<String>> ask() throws InterruptedException;
    }

    private final List<StoreServer> servers;

    private final Object setting;

    /** @param setting that names the servers, for messages */
    OneStore(List<StoreServer> servers, Object setting) {
        this.servers = servers;
        this.setting = setting;
    }

    /**
     * Requires that no two servers differ. If they do, asks again: the first record of the store may have been written
     * between two answers, and between two of the second time.
     *
     * @throws WorkerStoreException if they differ still
     */
    void require(Question question) throws WorkerStoreException, InterruptedException {
        for (int i = 0; i < 2 && differ(); i++) {
            List<StoreQuestion.Ended<String>> unused = compare(question);
        }
        if (differ()) {
            throw new WorkerStoreException("Servers of worker numbers must have one store, and these have different"
                    + " ones: "
                    + servers.stream()
                            .filter(each -> each.identity() != null)
                            .map(each -> each.label() + " " + shown(each))
                            .collect(Collectors.joining(", "))
                    + ". No number is leased. Check distributedid.snowflake.lease.* at the servers, and " + setting);
        }
    }

    private boolean differ() {
        return servers.stream()
                        .map(StoreServer::identity)
                        .filter(Objects::nonNull)
                        .distinct()
                        .count()
                > 1;
    }

    private static String shown(StoreServer server) {
        String identity = Objects.requireNonNull(server.identity());
        return identity.equals(NONE) ? "without a record" : identity;
    }

    /**
     * Learns the newest identities. Returns the servers that do not answer. What they said before counts, unless that
     * was a store without a record: it may have one by now.
     */
    List<StoreQuestion.Ended<String>> compare(Question question) throws InterruptedException {
        List<StoreQuestion.Ended<String>> answers = question.ask();
        for (StoreQuestion.Ended<String> each : answers) {
            if (each.failure() == null) {
                each.server().says(each.good());
            } else if (NONE.equals(each.server().identity())) {
                each.server().says(null);
            }
        }
        return answers.stream().filter(each -> each.failure() != null).toList();
    }
}
