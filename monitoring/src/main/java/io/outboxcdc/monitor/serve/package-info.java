/** What people and machines are shown: the page, JSON, metrics and health. Shows the last sample; reads nothing itself. */
@NullMarked
package io.outboxcdc.monitor.serve;

import org.jspecify.annotations.NullMarked;
