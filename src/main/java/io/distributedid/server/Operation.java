package io.distributedid.server;

/**
 * What a path does. Runs on an event loop, so it never waits: what may wait goes to {@link Workers} or
 * {@link WaitingRequests}. Each request is answered exactly once.
 */
@FunctionalInterface
interface Operation {

    /**
     * Answers a request, now or later.
     *
     * @throws RuntimeException a {@link Problem.Refusal}, or what {@link Exchange#fail} makes of it
     */
    void run(Exchange exchange);
}
