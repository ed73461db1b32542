import { invalidResponseError } from '../errors/from-response.ts';
import type { ServerRecord } from './server-records.ts';

/**
 * The metadata of a server, for those who search for a mark.
 *
 * @throws 502 if the service does not say it, as while the cell of the server is down: it may have the mark
 */
export function metadataOf({ id, metadata }: ServerRecord): Record<string, string> {
  if (metadata !== null) return metadata;
  const context = { service: 'compute', operation: 'servers.list' } as const;
  throw invalidResponseError(context, { status: 200 }, `The server ${id} has no metadata.`);
}
