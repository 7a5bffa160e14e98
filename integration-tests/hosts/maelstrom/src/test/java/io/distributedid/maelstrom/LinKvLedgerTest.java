package io.distributedid.maelstrom;

import io.distributedid.internal.ledger.Ledger;
import io.distributedid.testkit.LedgerContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Collectors;

/** A key of {@code lin-kv} is all that a ledger must be. */
class LinKvLedgerTest extends LedgerContract {

    private final LocalService service = service();

    /** What the clients ask. */
    LocalService service() {
        return new LocalService(new LinKv()::answer);
    }

    private Cell cell() {
        return new ServiceCell(service.peers("n1"), "lin-kv", "workers", false);
    }

    @Override
    protected Ledger client() {
        return new CellLedger(cell(), InstantSource.system());
    }

    @Override
    protected void delete(String name) {
        try {
            Optional<String> text = cell().read();
            String rest = text.stream()
                    .flatMap(String::lines)
                    .filter(line -> !line.startsWith(name + " "))
                    .collect(Collectors.joining("\n"));
            cell().compareAndSet(text, rest);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
