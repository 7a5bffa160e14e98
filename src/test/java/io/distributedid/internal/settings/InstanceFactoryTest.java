package io.distributedid.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InstanceFactoryTest {

    private static final String NAME = "distributedid.some.list";

    private static final Setting<Object> SETTING = Setting.object(NAME, "For tests.", List.class);

    @Test
    void anInstanceAClassAndItsNameAreTaken() {
        List<String> instance = List.of("a");

        assertThat(of(instance)).isSameAs(instance);
        assertThat(of(ArrayList.class)).isInstanceOf(ArrayList.class);
        assertThat(of(" java.util.ArrayList ")).isInstanceOf(ArrayList.class);
        assertThat(InstanceFactory.of(Settings.of(Map.of()), SETTING, List.class))
                .isEmpty();
    }

    @Test
    void aClassIsFoundWithoutAContextClassLoaderToo() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(null);
        try {
            assertThat(of(Own.class.getName())).isInstanceOf(Own.class);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void whatIsNoneIsRefusedWithItsCause() {
        assertRefused("java.util.HashMap", ClassCastException.class);
        assertRefused("no.such.Thing", ClassNotFoundException.class);
        assertRefused("java.util.AbstractList", NoSuchMethodException.class);
    }

    private static void assertRefused(String className, Class<?> cause) {
        assertThatThrownBy(() -> of(className))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: " + NAME + "=" + className
                        + ", allowed: a java.util.List, or the name of such a class with a public no-argument"
                        + " constructor")
                .cause()
                .isInstanceOf(cause);
    }

    private static Object of(Object value) {
        return InstanceFactory.of(Settings.of(Map.of(NAME, value)), SETTING, List.class)
                .orElseThrow();
    }

    /** Only the class loader of the tests knows it. */
    public static final class Own extends ArrayList<String> {

        private static final long serialVersionUID = 1;
    }
}
