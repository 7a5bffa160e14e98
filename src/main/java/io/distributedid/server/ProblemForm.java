package io.distributedid.server;

/** How a problem is answered: as {@code application/problem+json}, or as clients of another product read it. */
@FunctionalInterface
interface ProblemForm {

    void answer(Exchange exchange, Problem problem);
}
