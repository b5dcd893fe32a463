package io.holdfast.saga.jdbc.protocol;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Hands out the worlds of {@link ProtocolTest}. */
final class WorldExtension implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(WorldExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == World.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(NAMESPACE).getOrComputeIfAbsent(World.class, key -> World.create(), World.class);
    }

    /** A test that failed is not checked: what it left behind would hide why. */
    @Override
    public void afterEach(ExtensionContext context) {
        World world = context.getStore(NAMESPACE).get(World.class, World.class);
        if (world != null) {
            world.stop();
            if (context.getExecutionException().isEmpty()) {
                StandingChecks.verify(world);
            }
        }
    }
}
