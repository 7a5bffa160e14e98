package javax.crac;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/** As a JVM with CRaC has it: holds its resources weakly. */
public class Context<R extends Resource> implements Resource {

    private final Map<R, Boolean> resources = Collections.synchronizedMap(new WeakHashMap<>());

    public void register(R resource) {
        resources.put(resource, true);
    }

    @Override
    public void beforeCheckpoint(Context<? extends Resource> context) throws Exception {
        for (R each : resources()) {
            each.beforeCheckpoint(this);
        }
    }

    @Override
    public void afterRestore(Context<? extends Resource> context) throws Exception {
        for (R each : resources()) {
            each.afterRestore(this);
        }
    }

    private List<R> resources() {
        return new ArrayList<>(resources.keySet());
    }
}
