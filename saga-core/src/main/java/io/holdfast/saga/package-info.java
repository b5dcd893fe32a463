/**
 * Sagas as application developers meet them: types, steps and definitions, the running engine, its handles, outcomes,
 * listeners and exceptions.
 */
@NullMarked
package io.holdfast.saga;

import org.jspecify.annotations.NullMarked;
