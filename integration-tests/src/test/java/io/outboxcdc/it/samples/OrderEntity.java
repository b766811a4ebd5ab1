package io.outboxcdc.it.samples;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

import java.math.BigDecimal;

/** A row of {@code shop_order} for JPA. */
@Entity
@Table(name = "shop_order")
public class OrderEntity {

    @Id
    private String number;

    private BigDecimal total;

    @SuppressWarnings("NullAway.Init") // filled in by JPA
    protected OrderEntity() {}

    OrderEntity(String number, BigDecimal total) {
        this.number = number;
        this.total = total;
    }

    BigDecimal total() {
        return total;
    }
}
