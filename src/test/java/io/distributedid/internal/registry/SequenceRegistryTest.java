package io.distributedid.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CheckResult;
import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import io.distributedid.testkit.LoggedWarnings;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SequenceRegistryTest {

    /** A backend of somebody else's, named by its class. */
    public static final class ConstantBackendProvider implements BackendProvider {

        private static final Setting<Long> VALUE =
                Setting.number("distributedid.constant.value", "For tests.", 42, 1, Long.MAX_VALUE);

        public ConstantBackendProvider() {}

        @Override
        public String name() {
            return "constant";
        }

        @Override
        public Collection<Setting<?>> settings() {
            return List.of(VALUE);
        }

        @Override
        public Backend create(BackendContext context) {
            return new Backend() {
                @Override
                public IdSource open(Sequence sequence) {
                    long value = sequence.settings().get(VALUE);
                    return () -> value;
                }

                @Override
                public DecodedId decode(Sequence sequence, long id) {
                    return new DecodedId(id, null, Map.of());
                }

                @Override
                public void close() {}
            };
        }
    }

    /** A backend that opens no sequence before it is closed. */
    public static final class WaitingBackendProvider implements BackendProvider {

        static final BlockingQueue<String> EVENTS = new LinkedBlockingQueue<>();

        public WaitingBackendProvider() {}

        @Override
        public String name() {
            return "waiting";
        }

        @Override
        public Collection<Setting<?>> settings() {
            return List.of();
        }

        @Override
        public Backend create(BackendContext context) {
            CountDownLatch closing = new CountDownLatch(1);
            return new Backend() {
                @Override
                public IdSource open(Sequence sequence) {
                    EVENTS.add("opening");
                    try {
                        closing.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    EVENTS.add("gives up");
                    throw new IdUnavailableException("closing");
                }

                @Override
                public DecodedId decode(Sequence sequence, long id) {
                    return new DecodedId(id, null, Map.of());
                }

                @Override
                public void stopWaiting() {
                    EVENTS.add("stops waiting");
                    closing.countDown();
                }

                @Override
                public void close() {
                    EVENTS.add("closes");
                }
            };
        }
    }

    private static final Map<String, String> CONSTANT =
            Map.of("distributedid.backend", ConstantBackendProvider.class.getName());

    @Test
    void theCheckOfABackendThatHasNoneIsToOpenTheSequence() {
        Map<String, String> settings = Map.of("distributedid.backend", ConstantBackendProvider.class.getName());

        try (DistributedIds ids = DistributedIds.create(settings)) {
            assertThat(ids.admin().check("photos")).containsExactly(CheckResult.ok("start", "", "opened"));
            assertThat(ids.admin().check("1photos")).singleElement().satisfies(result -> {
                assertThat(result.status()).isEqualTo(CheckResult.Status.FAILED);
                assertThat(result.detail()).startsWith("A sequence's name must be a letter");
            });
        }
    }

    @Test
    void aBackendCanBeNamedByItsClass() {
        assertThat(next(CONSTANT, "photos")).isEqualTo(42);
    }

    @Test
    void aSettingOfOneSequenceOverridesThatOfAll() {
        Map<String, String> settings = with(CONSTANT, "distributedid.seq.photos.constant.value", "7");

        assertThat(next(settings, "photos")).isEqualTo(7);
        assertThat(next(settings, "users")).isEqualTo(42);
    }

    @Test
    void anImpossibleValueIsNamedAsItWasWritten() {
        assertThatThrownBy(() -> next(with(CONSTANT, "distributedid.seq.photos.constant.value", "x"), "photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.seq.photos.constant.value=x,"
                        + " allowed: a number from 1 to 9223372036854775807");
    }

    @Test
    void aMissingBackendIsRefused() {
        assertThatThrownBy(() -> next(Map.of(), "photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting is missing: distributedid.backend, allowed: memory, next_id, redis, remote,"
                        + " sequence_table, snowflake, ticket, or the"
                        + " class name of a BackendProvider. It says where ids come from (DistributedIds)."
                        + " Tests need no server with distributedid.backend=memory");
    }

    @Test
    void anUnknownBackendIsRefusedWhenTheSettingsAreRead() {
        assertThatThrownBy(() -> DistributedIds.create(Map.of("distributedid.backend", "tickets")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.backend=tickets, allowed: memory,"
                        + " next_id, redis, remote, sequence_table, snowflake, ticket, or the class name of a"
                        + " BackendProvider");
        assertThatThrownBy(() -> DistributedIds.create(Map.of("distributedid.backend", "java.lang.String")))
                .hasMessageContaining("distributedid.backend=java.lang.String");
    }

    @Test
    void anUnknownSettingIsRefusedAndTheNearestIsNamed() {
        assertThatThrownBy(() -> DistributedIds.create(Map.of("distributedid.ticket.server", "jdbc:x")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("There is no such setting: distributedid.ticket.server. Did you mean"
                        + " distributedid.ticket.servers?");
        assertThatThrownBy(() -> DistributedIds.create(Map.of("distributedid.seq.photos.ticket.tabel", "x")))
                .hasMessage("There is no such setting: distributedid.seq.photos.ticket.tabel. Did you mean"
                        + " distributedid.seq.photos.ticket.table?");
    }

    @Test
    void aSequenceMustHaveAPlainName() {
        assertThatThrownBy(() -> next(CONSTANT, "my photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A sequence's name must be a letter, then up to 49 letters, digits, '_' or '-':"
                        + " seq=my photos (DistributedIds)");
    }

    @Test
    void aSequenceThatNothingNamesIsAWarningOnce() {
        try (LoggedWarnings warnings = LoggedWarnings.of(SequenceUsers.class);
                DistributedIds ids = DistributedIds.create(with(CONSTANT, "distributedid.seq.photos.block.max", "7"))) {
            ids.admin().announce("albums", Long.MAX_VALUE, "Album.id");
            for (String name : List.of("photos", "albums", "photoes", "photoes", "people")) {
                ids.next(name);
            }
            ids.sequence("users", Long.MAX_VALUE, "User.id");

            String message = "No entity and no setting names this sequence, so it is a separate sequence: seq=";
            String remedy = ". Correct the name, or name it in the settings: distributedid.seq.";
            assertThat(warnings.messages())
                    .containsExactly(
                            message + "photoes (did you mean photos?)" + remedy + "photoes.unused_sequences=ignore",
                            message + "people, named: [albums, photos]" + remedy + "people.unused_sequences=ignore");
        }
        try (LoggedWarnings warnings = LoggedWarnings.of(SequenceUsers.class)) {
            next(CONSTANT, "photoes");
            assertThat(warnings.messages()).isEmpty();
        }
    }

    @Test
    void aWideSequenceIsRefusedToANarrowUser() {
        try (DistributedIds ids = DistributedIds.create(CONSTANT)) {
            ids.sequence("photos", Long.MAX_VALUE, "Photo.id");

            assertThatThrownBy(() -> ids.sequence("photos", Integer.MAX_VALUE, "Thumbnail.id"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("All users of a sequence must store ids of the same width: sequence 'photos' (Photo.id)"
                            + " stores"
                            + " up to 9223372036854775807, Thumbnail.id up to 2147483647. Give one of them"
                            + " another"
                            + " sequence, or map both to the same type");
        }
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aBackendThatWaitsHoldsUpNoOtherAndIsClosedWhenItHasStopped() throws Exception {
        Map<String, String> settings =
                with(CONSTANT, "distributedid.seq.photos.backend", WaitingBackendProvider.class.getName());
        DistributedIds ids = DistributedIds.create(settings);
        List<Thread> openers = List.of(opener(ids), opener(ids));
        assertThat(WaitingBackendProvider.EVENTS.take()).isEqualTo("opening");

        assertThat(ids.next("users")).isEqualTo(42);
        ids.close();
        assertThat(WaitingBackendProvider.EVENTS).containsExactly("stops waiting", "gives up", "closes");
        for (Thread opener : openers) {
            opener.join();
        }
        assertThat(WaitingBackendProvider.EVENTS).hasSize(3);
        assertThatThrownBy(() -> ids.next("orders"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The source of ids is closed: sequence 'orders' (DistributedIds)");
    }

    private static Thread opener(DistributedIds ids) {
        Thread opener = new Thread(
                () -> assertThatThrownBy(() -> ids.next("photos")).isInstanceOf(IdUnavailableException.class));
        opener.start();
        return opener;
    }

    @Test
    void secretsAreInNoText() {
        Map<String, String> settings = with(CONSTANT, "distributedid.ticket.password", "s3cr3t");

        assertThat(io.distributedid.spi.Settings.of(settings).toString()).doesNotContain("s3cr3t");
        assertThatThrownBy(() -> next(with(CONSTANT, "distributedid.ticket.pasword", "s3cr3t"), "photos"))
                .hasMessage("There is no such setting: distributedid.ticket.pasword. Did you mean"
                        + " distributedid.ticket.password?");
    }

    private static long next(Map<String, String> settings, String sequence) {
        try (DistributedIds ids = DistributedIds.create(settings)) {
            return ids.next(sequence);
        }
    }

    private static Map<String, String> with(Map<String, String> settings, String name, String value) {
        Map<String, String> all = new HashMap<>(settings);
        all.put(name, value);
        return all;
    }
}
