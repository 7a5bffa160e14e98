package io.distributedid.matrix;

import java.io.IOException;
import java.io.InputStream;
import org.hibernate.bytecode.enhance.spi.DefaultEnhancementContext;
import org.hibernate.bytecode.enhance.spi.Enhancer;
import org.hibernate.bytecode.enhance.spi.UnloadedClass;
import org.hibernate.bytecode.enhance.spi.UnloadedField;
import org.hibernate.bytecode.internal.BytecodeProviderInitiator;

/** Loads {@link Enhanced} as Hibernate's build plugins would have written it. */
final class EnhancingLoader extends ClassLoader {

    private static final class Everything extends DefaultEnhancementContext {

        @Override
        public boolean hasLazyLoadableAttributes(UnloadedClass type) {
            return true;
        }

        @Override
        public boolean isLazyLoadable(UnloadedField field) {
            return true;
        }

        @Override
        public boolean doDirtyCheckingInline(UnloadedClass type) {
            return true;
        }
    }

    private final Enhancer enhancer =
            BytecodeProviderInitiator.buildDefaultBytecodeProvider().getEnhancer(new Everything());

    EnhancingLoader() {
        super(EnhancingLoader.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.equals(Enhanced.class.getName())) {
            return super.loadClass(name, resolve);
        }
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
            return loaded;
        }
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            byte[] enhanced = enhancer.enhance(name, in.readAllBytes());
            return defineClass(name, enhanced, 0, enhanced.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
