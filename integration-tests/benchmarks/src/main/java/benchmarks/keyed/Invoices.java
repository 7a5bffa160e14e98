package benchmarks.keyed;

import io.distributedid.DistributedValue;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;

/** The same entity with a number of either kind; its table is always called {@value #TABLE}. */
final class Invoices {

    static final String TABLE = "invoice";

    private Invoices() {}

    /** What is stored besides the number. */
    @MappedSuperclass
    abstract static class Invoice {

        @Id
        private long id;

        private long customer;

        @Column(length = 100)
        private String text = "What the customer has bought, and when";

        void set(long newId, long newCustomer) {
            id = newId;
            customer = newCustomer;
        }
    }

    @Entity(name = TABLE)
    static class Ours extends Invoice {

        @DistributedValue(seq = "invoices", per = "customer", gapless = true)
        private Long number;
    }

    @Entity(name = TABLE)
    static class ByHand extends Invoice {

        private long number;

        void number(long taken) {
            number = taken;
        }
    }
}
