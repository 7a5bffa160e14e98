package io.distributedid.internal.keyed.owner;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.tenure.TenureRow;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The record of a sequence, which its first use ever writes together with a row for each section. It says how many
 * sections there are, and has a random token, by which a process tells its store from another one. It never changes.
 *
 * @param format of the rows; other releases may have others
 * @param sections how many
 * @param token random
 */
record SectionRecord(String format, long sections, String token) {

    static final String FORMAT = "sections of keys, format 1";

    static SectionRecord of(TenureRow row) {
        return new SectionRecord(row.owner(), row.bound(), row.token());
    }

    /** The first rows of a sequence: those of its sections have no owner. */
    static Map<Integer, TenureRow> firstRows(int sections, String token) {
        Map<Integer, TenureRow> rows = new HashMap<>();
        rows.put(SectionStore.RECORD, new TenureRow(FORMAT, sections, 0, token));
        for (int section = 0; section < sections; section++) {
            rows.put(section, new TenureRow("", 0, 0, token));
        }
        return rows;
    }

    /** The record among all rows of a sequence. Throws unless it {@link #require fits}, and all sections are there. */
    static SectionRecord require(
            Map<Integer, TenureRow> rows, int sections, @Nullable SectionRecord known, String where) {
        TenureRow row = rows.get(SectionStore.RECORD);
        if (row == null) {
            throw lost("the record", where);
        }
        SectionRecord found = of(row);
        found.require(sections, known, where);
        for (int section = 0; section < sections; section++) {
            if (!rows.containsKey(section)) {
                throw lost("section " + section, where);
            }
        }
        return found;
    }

    /** Throws unless it fits the settings, and is the one that was {@code known} before. */
    void require(int wanted, @Nullable SectionRecord known, String where) {
        if (!format.equals(FORMAT)) {
            throw new IdConfigurationException("The record of a sequence is not one of this release: " + where
                    + " format='" + format + "', allowed: '" + FORMAT
                    + "'. A newer release of the library may have written it: use that one");
        }
        if (sections != wanted) {
            throw new IdConfigurationException("The number of sections must not change, since keys would begin at 1"
                    + " again: " + where + " is recorded with " + sections + ", but "
                    + "distributedid.keyed.section.sections=" + wanted + ". Set it to " + sections
                    + ", or use another sequence");
        }
        if (known != null && !known.equals(this)) {
            throw new IdConfigurationException("The store of a sequence is another one than before, or was emptied and"
                    + " used anew: " + where + " token=" + token + ", it was token=" + known.token
                    + ". This process gives no numbers with it. Bring the right store back; or stop all processes,"
                    + " and start them again");
        }
    }

    static IdConfigurationException lost(String what, String where) {
        return new IdConfigurationException("The store of a sequence has lost rows: " + what + " is missing, " + where
                + ". No numbers are given, since they could be given twice. Restore them");
    }
}
