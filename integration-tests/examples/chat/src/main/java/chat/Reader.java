package chat;

import jakarta.persistence.EntityManager;
import java.util.List;

/** Reads a conversation while others write into it, and never misses a message: numbers become visible in order. */
final class Reader {

    private final Shards shards;

    private final long conversation;

    Reader(Shards shards, long conversation) {
        this.shards = shards;
        this.conversation = conversation;
        shards.of(conversation).runInTransaction(entities -> entities.persist(new ReadMark(conversation)));
    }

    /** Reads all that is new; fails if a number is missing. */
    int read() {
        return shards.of(conversation).callInTransaction(entities -> {
            ReadMark mark = entities.find(ReadMark.class, conversation);
            List<Message> news = entities.createQuery(
                            "from Message where conversation = :conversation and number > :seen order by number",
                            Message.class)
                    .setParameter("conversation", conversation)
                    .setParameter("seen", mark.seen())
                    .getResultList();
            for (Message message : news) {
                if (message.number() != mark.seen() + 1) {
                    throw new IllegalStateException(
                            "A message was missed: seen=" + mark.seen() + ", next=" + message.number());
                }
                mark.saw(message);
            }
            return news.size();
        });
    }

    /** How many messages are unread. As no number is missing, none has to be counted. */
    long unread() {
        return shards.of(conversation)
                .callInTransaction(entities -> last(entities)
                        - entities.find(ReadMark.class, conversation).seen());
    }

    private long last(EntityManager entities) {
        return entities.createQuery(
                        "select coalesce(max(number), 0) from Message where conversation = :conversation", Long.class)
                .setParameter("conversation", conversation)
                .getSingleResult();
    }
}
