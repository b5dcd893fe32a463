/** What makes the reaper tick. Not exported but to Quartz, which makes the job. */
@NullMarked
package io.holdfast.saga.jdbc.internal.reaper;

import org.jspecify.annotations.NullMarked;
