package io.distributedid.backend.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.service.ServiceSettings;
import io.distributedid.spi.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteSettingsTest {

    private static final String ALLOWED = "allowed: http or https addresses without path, separated by commas, as in"
            + " https://ids1:8443, https://ids2:8443";

    private static ServiceSettings.Service read(Object servers, Object... more) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.remote.servers", servers);
        for (int i = 0; i < more.length; i += 2) {
            settings.put("distributedid.remote." + more[i], more[i + 1]);
        }
        return RemoteBackendProvider.service(Settings.of(settings));
    }

    @Test
    void addressesHaveOneForm() {
        List<URI> servers = List.of(URI.create("https://ids1:8443"), URI.create("http://ids2"));

        assertThat(read("HTTPS://IDS1:8443/ ,http://ids2").servers()).isEqualTo(servers);
        assertThat(read(List.of("https://ids1:8443", "http://ids2")).servers()).isEqualTo(servers);
        assertThat(read("http://[::1]:80").servers()).containsExactly(URI.create("http://[::1]:80"));
        assertThat(read("http://ids1").timeout()).isEqualTo(Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ids1:8443",
                "ftp://ids1",
                "https://",
                "https://ids1:0",
                "https://ids1:99999",
                "https://ids1/ids",
                "https://ids1?x=1",
                "https://ids1#x",
                "https://ids1 https://ids2",
                "jdbc:mysql://ids1/ids"
            })
    void otherAddressesAreRefused(String servers) {
        assertThatThrownBy(() -> read(servers))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A setting has a value that is not allowed: distributedid.remote.servers=")
                .hasMessageEndingWith(ALLOWED);
    }

    @Test
    void aCommaThatNoServerFollowsIsNamed() {
        assertThatThrownBy(() -> read("https://ids1, https://ids2,"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageEndingWith(ALLOWED + ". Remove the comma that no server follows");
    }

    @Test
    void aUserInAnAddressIsRefusedAndNotShown() {
        assertThatThrownBy(() -> read("https://clerk:s3cr3t@ids1:8443"))
                .hasMessage(
                        "A setting has a value that is not allowed: distributedid.remote.servers=https://ids1:8443, "
                                + ALLOWED);
    }

    @Test
    void aServerTwiceIsRefused() {
        assertThatThrownBy(() -> read("https://ids1:8443, https://IDS1:8443/"))
                .hasMessage("A setting has a value that is not allowed: distributedid.remote.servers=https://ids1:8443"
                        + " twice, allowed: every server once");
    }

    @Test
    void missingServersAreSaidToBeMissing() {
        assertThatThrownBy(() -> RemoteBackendProvider.service(Settings.of(Map.of())))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting is missing: distributedid.remote.servers, " + ALLOWED
                        + ". The backend remote needs the servers of an issuing service");
        assertThatThrownBy(() -> read(List.of())).hasMessageStartingWith("A setting is missing");
    }

    @ParameterizedTest
    @CsvSource({"two words", "'line\nbreak'", "umläut", "'a=b'"})
    void aTokenThatNoHeaderCanCarryIsRefusedAndNotShown(String token) {
        assertThatThrownBy(() -> read("https://ids1", "token", token))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "A setting has a value that is not allowed: distributedid.remote.token=***, allowed: letters,"
                                + " digits and any of . _ ~ + / -, then '='; no spaces, no line break");
    }

    @Test
    void noTextOfTheSettingsHasTheToken() {
        assertThat(read("https://ids1", "token", "s3cr3t").toString()).doesNotContain("s3cr3t");
    }
}
