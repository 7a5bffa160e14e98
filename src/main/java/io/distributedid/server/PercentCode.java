package io.distributedid.server;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Decodes {@code %C3%A4} in paths and parameters. Repairs nothing: what is not well-formed UTF-8 has no meaning. */
final class PercentCode {

    private PercentCode() {}

    /** Empty if a percent sign is not followed by two hexadecimal digits, or the bytes are not UTF-8. */
    static Optional<String> decode(String text) {
        if (text.indexOf('%') < 0) {
            return Optional.of(text);
        }
        byte[] written = text.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = new byte[written.length];
        int length = 0;
        for (int i = 0; i < written.length; i++) {
            if (written[i] != '%') {
                bytes[length++] = written[i];
                continue;
            }
            int high = i + 2 < written.length ? Character.digit(written[i + 1], 16) : -1;
            int low = high < 0 ? -1 : Character.digit(written[i + 2], 16);
            if (low < 0) {
                return Optional.empty();
            }
            bytes[length++] = (byte) (high * 16 + low);
            i += 2;
        }
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
