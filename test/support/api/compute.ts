import type { ServerRecord } from '@gateway/openstack';
import { fixtureBody } from '../doubles/upstream.ts';
import { serviceCalls } from './service-calls.ts';

/** Any server, as the service sends it, without a fault. */
export function serverOf(differences: { [Field in keyof ServerRecord]?: unknown } = {}): ServerRecord {
  const { fault: _fault, ...recorded } = fixtureBody<Record<string, unknown>>('compute/server', 'server');
  return { ...recorded, ...differences } as ServerRecord;
}

/** Declares a call to the compute service, as `computeAnswers(cloud, 'GET /servers/x', { server })`. */
export const { answers: computeAnswers } = serviceCalls('compute/server', '/v2.1');
