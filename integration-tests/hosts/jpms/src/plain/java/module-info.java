/** An application on the module path that has no Hibernate. */
module plain {
    requires io.distributedid;
}
