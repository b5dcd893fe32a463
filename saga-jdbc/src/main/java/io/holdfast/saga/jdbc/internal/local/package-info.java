/** Local steps, and the factory of all steps on a database. Not exported. */
@NullMarked
package io.holdfast.saga.jdbc.internal.local;

import org.jspecify.annotations.NullMarked;
