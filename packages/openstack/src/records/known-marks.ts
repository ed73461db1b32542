import type { ServiceName } from '@gateway/platform';
import { invalidResponseError } from '../errors/from-response.ts';

/**
 * The metadata or labels of a record, for those who search for a mark.
 *
 * @throws 502 if the service does not say them, as compute while the cell of a server is down: the record may
 * have the mark
 */
export function knownMarks(
  service: ServiceName,
  { id, metadata }: { id: string; metadata: Record<string, string> | null },
): Record<string, string> {
  if (metadata !== null) return metadata;
  const context = { service, operation: 'marks.find' };
  throw invalidResponseError(context, { status: 200 }, `The record ${id} has no metadata.`);
}
