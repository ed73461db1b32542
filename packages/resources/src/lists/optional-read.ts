import { GatewayError, withinTime } from '@gateway/core';
import { MissingServiceError } from '@gateway/openstack';
import type { ListSources, LoadSources } from './cached-list.ts';

type Sources = ListSources | LoadSources;

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

/**
 * The result of a read that only completes the rows of another service, or `without` if its service is
 * unavailable or rejects the read. A cached list that shows the rows is then incomplete, unless the service
 * refuses its reader, or the catalog does not have it: a repeat would find no more.
 */
export async function optionalRead<T, Without>(
  sources: Sources,
  read: Promise<T>,
  without: Without,
): Promise<T | Without> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // Outside of a list, the rows may be in the response to a write that is done already.
    if (error.status === UNAUTHORIZED && 'onIncomplete' in sources) throw error;
    const isFinal = error.status === FORBIDDEN || error instanceof MissingServiceError;
    if (!isFinal) markIncomplete(sources);
    return without;
  }
}

/** The same for a short read, which a slow service delays for half of a dashboard's time at most. */
export function promptOptionalRead<T, Without>(
  sources: Sources,
  read: Promise<T>,
  without: Without,
): Promise<T | Without> {
  const timeoutMs = (sources.config.timeLimits.dashboardPartSeconds * 1000) / 2;
  const reading = withinTime(read, timeoutMs, () => {
    markIncomplete(sources);
    return without;
  });
  return optionalRead(sources, reading, without);
}

/** The list that shows the rows is soon read again. */
function markIncomplete(sources: Sources): void {
  if ('onIncomplete' in sources) sources.onIncomplete();
}
