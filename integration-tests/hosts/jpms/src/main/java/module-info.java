/** An application on the module path. */
module app {
    requires io.distributedid;
    requires jakarta.persistence;
    requires java.naming;
    requires org.hibernate.orm.core;

    // Hibernate and Byte Buddy both reach into the entities, and Byte Buddy is not a module here.
    opens app;
}
