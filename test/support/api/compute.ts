import type { ServerRecord } from '@gateway/openstack';
import { fixtureBody, type ReplyOptions } from '../doubles/upstream.ts';
import type { FakeCloud } from './fake-cloud.ts';

/** Any server, as the service sends it, without a fault. */
export function serverOf(differences: { [Field in keyof ServerRecord]?: unknown } = {}): ServerRecord {
  const { fault: _fault, ...recorded } = fixtureBody<Record<string, unknown>>('compute/server', 'server');
  return { ...recorded, ...differences } as ServerRecord;
}

/** Declares a call to the compute service, as `computeAnswers(cloud, 'GET /servers/x', { server })`. */
export function computeAnswers(
  cloud: FakeCloud,
  call: string,
  body: unknown = '',
  options: ReplyOptions = {},
): void {
  const [method = '', path = ''] = call.split(' ');
  cloud.reply('compute/server', { method, path: `/v2.1${path}`, status: 200, body, ...options });
}
