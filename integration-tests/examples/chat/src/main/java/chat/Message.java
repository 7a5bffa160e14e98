package chat;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.UniqueConstraint;

/** A message, with its number in the conversation: 1, 2, 3, none missing. */
@Entity
@Table(name = "messages", uniqueConstraints = @UniqueConstraint(columnNames = {"conversation", "number"}))
public class Message {

    @Id
    @DistributedId(seq = "messages")
    private Long id;

    private long conversation;

    @DistributedValue(seq = "message_numbers", per = "conversation", gapless = true)
    @Column(name = "number")
    private Long number;

    private String text;

    protected Message() {}

    Message(long conversation, String text) {
        this.conversation = conversation;
        this.text = text;
    }

    long number() {
        return number;
    }

    String text() {
        return text;
    }
}
