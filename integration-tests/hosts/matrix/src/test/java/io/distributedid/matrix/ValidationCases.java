package io.distributedid.matrix;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.validation.constraints.NotNull;
import org.junit.jupiter.api.Order;

/** Constraints of Jakarta Validation, which Hibernate Validator checks before an insert. */
@Order(14)
class ValidationCases {

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @NotNull
        @DistributedId(seq = "ids")
        Long id;
    }

    @Entity(name = "Numbered")
    static class Numbered {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @NotNull
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Case("validation: @NotNull on an id")
    void id() {
        try (Unit unit = Unit.of(Photo.class).start()) {
            unit.persist(new Photo());
            unit.requireRows("Photo", "id", "ids");
        }
    }

    @Case("validation: @NotNull on an id, StatelessSession.insert")
    void idOfStatelessSession() {
        try (Unit unit = Unit.of(Photo.class).start()) {
            unit.insert(new Photo());
            unit.requireRows("Photo", "id", "ids");
        }
    }

    @Case("validation: @NotNull on a number")
    void number() {
        try (Unit unit = Unit.of(Numbered.class).start()) {
            unit.persist(new Numbered());
            unit.requireRows("Numbered", "number", "numbers");
        }
    }
}
