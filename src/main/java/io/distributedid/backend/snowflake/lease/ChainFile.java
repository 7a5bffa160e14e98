package io.distributedid.backend.snowflake.lease;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * One file of a {@link FileChain}, with the row and all records:
 *
 * <pre>
 * file=17 6f1c0f6e
 * of=worker=7
 * worker=7
 * owner=app1.example.org pid 17 since 2026-11-21T08:00:00Z
 * reserved_until=2026-11-21T11:59:10.026Z
 * token=0b9f...
 * record.photos=...
 * crc=1d2f3a4b
 * </pre>
 *
 * @param number its place in the chain
 * @param id unique among all files, for ever
 * @param of the owner of the files, as in {@code worker=7}
 * @param row null if no number was leased yet
 * @param records by their names
 */
record ChainFile(
        long number, String id, String of, @Nullable WorkerRow row, Map<String, String> records) {

    private static final String RECORD = "record.";

    /** The name besides its number, until it is renamed to {@code before}. */
    String ownName() {
        return number + "." + id;
    }

    byte[] encode() {
        StringBuilder text = new StringBuilder();
        line(text, "file", number + " " + id);
        line(text, "of", of);
        if (row != null) {
            line(text, "worker", Long.toString(row.worker()));
            line(text, "owner", row.owner());
            line(
                    text,
                    "reserved_until",
                    Instant.ofEpochMilli(row.reservedUntil()).toString());
            line(text, "token", row.token());
        }
        records.forEach(
                (name, content) -> line(text, RECORD + URLEncoder.encode(name, StandardCharsets.UTF_8), content));
        return (text + "crc=" + crc(text.toString()) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static void line(StringBuilder text, String name, String value) {
        String escaped = value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
        text.append(name).append('=').append(escaped).append('\n');
    }

    private static String crc(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    /** Empty if the file has another format, or is damaged. */
    static Optional<ChainFile> decode(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int end = text.lastIndexOf("crc=");
        if (end < 0 || !text.substring(end).equals("crc=" + crc(text.substring(0, end)) + "\n")) {
            return Optional.empty();
        }
        Map<String, String> values = new TreeMap<>();
        text.substring(0, end).lines().forEach(line -> {
            int equals = line.indexOf('=');
            values.put(line.substring(0, equals), unescaped(line.substring(equals + 1)));
        });
        try {
            return Optional.of(of(values));
        } catch (DateTimeException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String unescaped(String value) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char each = value.charAt(i);
            if (each == '\\' && i + 1 < value.length()) {
                i++;
                char escaped = value.charAt(i);
                each = escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : escaped;
            }
            text.append(each);
        }
        return text.toString();
    }

    private static ChainFile of(Map<String, String> values) {
        String[] file = value(values, "file").split(" ", 2);
        Map<String, String> records = new TreeMap<>();
        values.forEach((name, value) -> {
            if (name.startsWith(RECORD)) {
                records.put(URLDecoder.decode(name.substring(RECORD.length()), StandardCharsets.UTF_8), value);
            }
        });
        WorkerRow row = values.containsKey("token")
                ? new WorkerRow(
                        Long.parseLong(value(values, "worker")),
                        value(values, "owner"),
                        Instant.parse(value(values, "reserved_until")).toEpochMilli(),
                        value(values, "token"))
                : null;
        return new ChainFile(Long.parseLong(file[0]), file[file.length - 1], value(values, "of"), row, records);
    }

    private static String value(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("Missing: " + name);
        }
        return value;
    }
}
