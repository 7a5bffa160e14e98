package javax.crac;

/** As a JVM with CRaC has it. */
public class RestoreException extends Exception {

    private static final long serialVersionUID = 1L;
}
