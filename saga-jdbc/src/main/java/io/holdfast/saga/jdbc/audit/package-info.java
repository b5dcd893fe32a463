/** What auditors and operators read: sagas, timelines, and the rows they hold. */
@NullMarked
package io.holdfast.saga.jdbc.audit;

import org.jspecify.annotations.NullMarked;
