package chat;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** How far the reader of a conversation has read. */
@Entity
@Table(name = "read_marks")
public class ReadMark {

    @Id
    private long conversation;

    private long seen;

    protected ReadMark() {}

    ReadMark(long conversation) {
        this.conversation = conversation;
    }

    long seen() {
        return seen;
    }

    void saw(Message message) {
        seen = message.number();
    }
}
