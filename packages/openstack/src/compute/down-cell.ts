import { UpstreamError } from '../errors/index.ts';
import type { ServerRecord } from './server-records.ts';

type MinimalRow = Pick<ServerRecord, 'metadata' | 'status'>;

const RETRY_AFTER_SECONDS = 10;

/**
 * Whether the cell of the server is down. Its row then has neither metadata nor volumes nor a host, whatever
 * the server has: nothing may be removed or decided by it.
 */
export function isCellDown({ metadata, status }: MinimalRow): boolean {
  return status === 'UNKNOWN' && metadata === null;
}

/** @throws 503 while the cell of the server is down */
export function requireWholeServer(server: MinimalRow): void {
  if (isCellDown(server)) {
    throw cellDown('A part of the compute service, which has the instance, does not respond at the moment.');
  }
}

/** The 503 for a server whose cell is down. */
export function cellDown(detail: string): UpstreamError {
  return new UpstreamError(503, 'upstream_unavailable', detail, {
    service: 'compute',
    operation: 'servers.get',
    upstreamStatus: 200,
    upstreamMessage: 'The row of the server is that of a cell that is down.',
    upstreamRequestId: null,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
