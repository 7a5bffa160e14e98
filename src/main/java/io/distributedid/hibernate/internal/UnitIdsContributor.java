package io.distributedid.hibernate.internal;

import org.hibernate.service.spi.SessionFactoryServiceContributor;
import org.hibernate.service.spi.SessionFactoryServiceInitiator;
import org.hibernate.service.spi.SessionFactoryServiceInitiatorContext;
import org.hibernate.service.spi.SessionFactoryServiceRegistryBuilder;

/** Makes the {@link UnitIds} known to Hibernate, by {@link java.util.ServiceLoader}. */
public final class UnitIdsContributor implements SessionFactoryServiceContributor {

    /** For {@link java.util.ServiceLoader}. */
    public UnitIdsContributor() {}

    @Override
    public void contribute(SessionFactoryServiceRegistryBuilder builder) {
        builder.addInitiator(new SessionFactoryServiceInitiator<UnitIds>() {
            @Override
            public UnitIds initiateService(SessionFactoryServiceInitiatorContext context) {
                return new UnitIds();
            }

            @Override
            public Class<UnitIds> getServiceInitiated() {
                return UnitIds.class;
            }
        });
    }
}
