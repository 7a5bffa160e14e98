package io.distributedid.cli;

import io.distributedid.CheckResult;
import io.distributedid.CheckResult.Status;
import io.distributedid.internal.settings.Secrets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Results of checks, as a table or for JSON, with the number of each status. Masks secrets. */
final class Report {

    private final TextTable table = new TextTable("SEQUENCE", "CHECK", "SERVER", "RESULT", "DETAIL");

    private final List<Map<String, Object>> rows = new ArrayList<>();

    private final List<Status> found = new ArrayList<>();

    private final Secrets secrets;

    Report(Secrets secrets) {
        this.secrets = secrets;
    }

    void add(String sequence, CheckResult result) {
        String status = result.status().name().toLowerCase(Locale.ROOT);
        String detail = ErrorReport.withStart(secrets.masked(result.detail()), Main.class);
        table.add(sequence, result.what(), result.server().isEmpty() ? "-" : result.server(), status, detail);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("sequence", sequence);
        row.put("check", result.what());
        row.put("server", result.server());
        row.put("result", status);
        row.put("detail", detail);
        result.lastId().ifPresent(id -> row.put("lastId", id));
        rows.add(row);
        found.add(result.status());
    }

    private int count(Status status) {
        return (int) found.stream().filter(status::equals).count();
    }

    int exitCode() {
        return found.contains(Status.FAILED) ? 1 : 0;
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        for (Status status : Status.values()) {
            json.put(status.name().toLowerCase(Locale.ROOT), count(status));
        }
        json.put("results", rows);
        return json;
    }

    @Override
    public String toString() {
        return table + System.lineSeparator() + count(Status.OK) + " ok, " + count(Status.FAILED) + " failed, "
                + count(Status.UNKNOWN) + " unknown";
    }
}
