package io.distributedid.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.registry.InstalledBackends;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {

    @Test
    void secretsAreMaskedWhereverTheyStand() {
        Secrets secrets = secrets(Map.of("distributedid.ticket.password", "s3cret", "distributedid.backend", "ticket"));

        assertThat(secrets.masked("no s3cret in\n a ticket")).isEqualTo("no *** in a ticket");
        assertThat(Secrets.NONE.masked("jdbc:mysql://me:pw@t1/a?user=x&password=y&z=1, password: q"))
                .isEqualTo("jdbc:mysql://***@t1/a?user=x&password=***&z=1, password: ***");
    }

    @ParameterizedTest
    @CsvSource({
        "18, one *** three four",
        "11, one ***... (21 characters)",
        "7, one ***... (21 characters)",
        "2, ... (21 characters)",
    })
    void aLongTextIsMaskedAndThenCutBetweenWords(int longest, String masked) {
        Secrets secrets = secrets(Map.of("distributedid.ticket.password", "s3cret"));

        assertThat(secrets.masked("one s3cret three four", longest)).isEqualTo(masked);
    }

    @Test
    void anEmptyPasswordMasksNothing() {
        Secrets secrets = secrets(Map.of("distributedid.ticket.password", " "));

        assertThat(secrets.masked("no secret in it")).isEqualTo("no secret in it");
    }

    @ParameterizedTest
    @CsvSource({
        "distributedid.ticket.password, true",
        "hibernate.connection.trustCertificateKeyStorePassword, true",
        "api-token.secret, true",
        "distributedid.remote.token, true",
        "distributedid.seq.photos.remote.token, true",
        "distributedid.ticket.user, false",
        "distributedid.seq.passwords.backend, false",
        "distributedid.no_such.password, false",
        "server.password-length, false",
    })
    void theDeclarationSaysWhetherAValueIsASecretAndTheLastPartOfTheNamesOfOthers(String name, boolean secret) {
        assertThat(Secrets.isSecret(name, InstalledBackends.declarations())).isEqualTo(secret);
    }

    private static Secrets secrets(Map<String, String> settings) {
        return Secrets.of(settings, InstalledBackends.declarations());
    }
}
