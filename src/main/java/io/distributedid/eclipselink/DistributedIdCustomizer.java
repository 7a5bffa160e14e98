package io.distributedid.eclipselink;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import org.eclipse.persistence.internal.sessions.DatabaseSessionImpl;
import org.eclipse.persistence.sessions.Session;
import org.eclipse.persistence.sessions.SessionCustomizer;

/**
 * Gives the entities of an EclipseLink persistence unit their ids. EclipseLink creates the customizer by its class name
 * in {@code persistence.xml}:
 *
 * <pre>{@code
 * <property name="eclipselink.session.customizer" value="io.distributedid.eclipselink.DistributedIdCustomizer"/>
 * <property name="eclipselink.deploy-on-startup" value="true"/>
 * }</pre>
 *
 * <p>It serves each id with {@link io.distributedid.DistributedId}, and each {@code @GeneratedValue(generator =
 * "photos")} whose name the unit defines nowhere else: {@code photos} is then a sequence of this library. The settings
 * are {@code distributedid.*}, as properties of the unit. EclipseLink connects when the first EntityManager is created,
 * unless {@code eclipselink.deploy-on-startup} is set; errors of the configuration appear then.
 *
 * <p>An application that has a customizer of its own calls {@link #customize} from it. Thread-safe.
 */
public final class DistributedIdCustomizer implements SessionCustomizer {

    static final String IDS = "io.distributedid.eclipselink.ids";

    /** For EclipseLink, and for customizers of the application. */
    public DistributedIdCustomizer() {}

    /**
     * Registers a sequence for each id that this library gives. Called once before each login.
     *
     * @param session of the persistence unit, not yet connected
     * @throws IdConfigurationException if one of our annotations is in a place where it has no effect
     */
    @Override
    public void customize(Session session) {
        if (!(session instanceof DatabaseSessionImpl database) || session.isSessionBroker()) {
            throw new IdConfigurationException("Ids need a session with a database of its own: session="
                    + session.getClass().getName() + ". Name this customizer in the member of a composite unit");
        }
        if (!UnitStart.isInstalled(database)) {
            List<GeneratedProperty> properties = UnitMappings.of(database);
            UnitStart.install(database, properties);
            properties.forEach(property -> property.register(database));
        }
    }

    /**
     * Returns the sequences of a persistence unit, for rows that the application inserts by SQL, and to decode ids.
     *
     * @param factory of EclipseLink; connects if it has not done so
     * @return open as long as the factory
     * @throws IdConfigurationException if the unit has no customizer of this class
     */
    public static DistributedIds ids(EntityManagerFactory factory) {
        if (factory.unwrap(Session.class).getProperty(IDS) instanceof DistributedIds ids) {
            return ids;
        }
        throw new IdConfigurationException("The persistence unit has no ids of this library: factory=" + factory
                + ". Set eclipselink.session.customizer=" + DistributedIdCustomizer.class.getName());
    }
}
