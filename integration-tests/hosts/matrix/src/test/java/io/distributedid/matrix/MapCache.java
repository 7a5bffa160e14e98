package io.distributedid.matrix;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.cache.cfg.spi.DomainDataRegionBuildingContext;
import org.hibernate.cache.cfg.spi.DomainDataRegionConfig;
import org.hibernate.cache.spi.support.DomainDataStorageAccess;
import org.hibernate.cache.spi.support.RegionFactoryTemplate;
import org.hibernate.cache.spi.support.StorageAccess;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/** A second-level cache in maps, since hibernate-jcache is not published for every Hibernate. */
public final class MapCache extends RegionFactoryTemplate {

    private static final long serialVersionUID = 1L;

    /** For Hibernate. */
    public MapCache() {}

    @Override
    protected void prepareForUse(SessionFactoryOptions settings, Map<String, Object> configuration) {
        // Nothing to open.
    }

    @Override
    protected void releaseFromUse() {
        // Nothing to close.
    }

    @Override
    protected DomainDataStorageAccess createDomainDataStorageAccess(
            DomainDataRegionConfig regionConfig, DomainDataRegionBuildingContext context) {
        return new Storage();
    }

    @Override
    protected StorageAccess createQueryResultsRegionStorageAccess(
            String regionName, SessionFactoryImplementor factory) {
        return new Storage();
    }

    @Override
    protected StorageAccess createTimestampsRegionStorageAccess(String regionName, SessionFactoryImplementor factory) {
        return new Storage();
    }

    private static final class Storage implements DomainDataStorageAccess {

        private final Map<Object, Object> entries = new ConcurrentHashMap<>();

        @Override
        public boolean contains(Object key) {
            return entries.containsKey(key);
        }

        @Override
        public Object getFromCache(Object key, SharedSessionContractImplementor session) {
            return entries.get(key);
        }

        @Override
        public void putIntoCache(Object key, Object value, SharedSessionContractImplementor session) {
            entries.put(key, value);
        }

        @Override
        public void evictData() {
            entries.clear();
        }

        @Override
        public void evictData(Object key) {
            entries.remove(key);
        }

        @Override
        public void release() {
            entries.clear();
        }
    }
}
