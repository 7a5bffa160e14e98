package io.distributedid.internal.block;

/** A request whose answer tests of other packages read as a text. Not thread-safe. */
public final class RecordedRequest {

    private final BlockRequest request;

    private String answer = "";

    public RecordedRequest(GroupedSource source, long wanted) {
        request = new BlockRequest(
                source,
                wanted,
                (answered, block, failure) -> answer = block == null
                        ? String.valueOf(failure.getMessage())
                        : block.block().first() + " to " + block.block().last());
    }

    public BlockRequest request() {
        return request;
    }

    public String answer() {
        return answer.isEmpty() ? "postponed: " + request.takePostponed() : answer;
    }
}
