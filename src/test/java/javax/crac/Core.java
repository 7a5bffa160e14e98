package javax.crac;

/** A JVM with CRaC, as far as the library org.crac looks at it: a checkpoint is restored at once. */
public final class Core {

    private static final Context<Resource> GLOBAL = new Context<>();

    private Core() {}

    public static Context<Resource> getGlobalContext() {
        return GLOBAL;
    }

    public static void checkpointRestore() throws Exception {
        GLOBAL.beforeCheckpoint(GLOBAL);
        GLOBAL.afterRestore(GLOBAL);
    }
}
