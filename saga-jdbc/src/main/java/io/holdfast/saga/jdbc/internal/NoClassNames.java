package io.holdfast.saga.jdbc.internal;

import java.io.Serial;
import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;

/** Refuses, for every base type, that stored data names the class to be loaded. Jackson asks before it looks at the data. */
public final class NoClassNames extends PolymorphicTypeValidator.Base {
    @Serial
    private static final long serialVersionUID = 1L;

    @Override
    public Validity validateBaseType(DatabindContext context, JavaType baseType) {
        return Validity.DENIED;
    }

    @Override
    public Validity validateSubClassName(DatabindContext context, JavaType baseType, String subClassName) {
        return Validity.DENIED;
    }
}
