package chat;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.UniqueConstraint;

/** What a customer pays. The law wants the numbers of each customer without gaps. */
@Entity
@Table(name = "invoices", uniqueConstraints = @UniqueConstraint(columnNames = {"customer", "number"}))
public class Invoice {

    @Id
    @DistributedId(seq = "invoices")
    private Long id;

    private String customer;

    @DistributedValue(seq = "invoice_numbers", per = "customer", gapless = true)
    @Column(name = "number")
    private Long number;

    private long cents;

    protected Invoice() {}

    Invoice(String customer, long cents) {
        this.customer = customer;
        this.cents = cents;
    }
}
