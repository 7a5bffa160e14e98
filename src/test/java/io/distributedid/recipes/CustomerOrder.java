package io.distributedid.recipes;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.UniqueConstraint;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** An order whose number begins at 1 each day. The page {@code recipes.md} quotes the class. */
@Entity
@Table(uniqueConstraints = @UniqueConstraint(columnNames = {"orderDay", "number"}))
public class CustomerOrder {

    @Id
    @DistributedId(seq = "order_ids")
    private Long id;

    private String orderDay; // 20261128

    @DistributedValue(seq = "order_numbers", per = "orderDay")
    private Long number; // set by the flush

    protected CustomerOrder() {}

    public CustomerOrder(LocalDate day) {
        orderDay = day.format(DateTimeFormatter.BASIC_ISO_DATE);
    }

    public String orderNumber() {
        return String.format(Locale.ROOT, "ORD-%s-%06d", orderDay, number);
    }
}
