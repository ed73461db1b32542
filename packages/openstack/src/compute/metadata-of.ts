import { knownMarks } from '../records/known-marks.ts';
import type { ServerRecord } from './server-records.ts';

/**
 * The metadata of a server, for those who search for a mark.
 *
 * @throws 502 if the service does not say it, as while the cell of the server is down
 */
export function metadataOf({ id, metadata }: ServerRecord): Record<string, string> {
  return knownMarks('compute', id, metadata);
}
