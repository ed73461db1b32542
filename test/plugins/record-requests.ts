import { readFileSync, writeFileSync } from 'node:fs';
import type { PluginKey } from '@gateway/lite';
import type { ServiceName } from '@gateway/platform';

/** A request to the cloud, as the bed logs it. */
interface LoggedRequest {
  /** The header `User-Agent`. */
  agent: string;
  port: number;
  method: string;
  /** Path and query. */
  target: string;
  status: number;
  /** The access rule that allows the request, or why it needs none. */
  rule: string;
}

/** The fixture with the requests of one plugin. */
interface PluginRequests {
  recorded: string[];
  from_source: Record<string, string[]>;
}

const plugins: Readonly<Record<string, PluginKey>> = {
  'openstack-cloud-controller-manager': 'cloud_controller',
  'cinder-csi-plugin': 'block_csi',
  'manila-csi-plugin': 'file_csi',
  'octavia-ingress-controller': 'lb_ingress',
  'k8s-keystone-auth': 'identity_auth',
  'barbican-kms-plugin': 'secrets_kms',
};

/** The services by the last digits of their ports, which are the same in both releases of the bed's cloud. */
const services: Readonly<Record<number, ServiceName>> = {
  8774: 'compute',
  9696: 'network',
  8776: 'blockStorage',
  8786: 'sharedFileSystem',
  9876: 'loadBalancer',
  9311: 'keyManager',
};
const NEWER_RELEASE_PORTS = 10_000;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const PROJECT_SEGMENT = /\/[0-9a-f]{32}(?=\/)/;

/**
 * Adds the requests of a log to those that the fixture has as recorded, and removes them from those that it
 * has from the programs' sources. Returns the number of new ones.
 *
 * @throws Error for a program that belongs to no plugin
 */
export function recordRequests(log: string, fixture: string): number {
  const requestsOf = JSON.parse(readFileSync(fixture, 'utf8')) as Record<PluginKey, PluginRequests>;
  let added = 0;
  for (const line of readFileSync(log, 'utf8').split('\n').filter(Boolean)) {
    const logged = JSON.parse(line) as LoggedRequest;
    const request = requestOf(logged);
    if (request === null) continue;
    const program = logged.agent.split('/')[0] ?? '';
    const key = plugins[program];
    if (key === undefined) throw new Error(`"${program}" belongs to no plugin: ${request}`);
    const { recorded } = requestsOf[key];
    if (recorded.includes(request)) continue;
    recorded.push(request);
    added += 1;
  }
  for (const requests of Object.values(requestsOf)) {
    requests.recorded.sort();
    requests.from_source = withoutRecorded(requests);
  }
  writeFileSync(fixture, `${JSON.stringify(requestsOf, null, 2)}\n`);
  return added;
}

/** Null for a request that no access rule judges. */
function requestOf({ port, method, target, rule }: LoggedRequest): string | null {
  const service = services[port] ?? services[port - NEWER_RELEASE_PORTS];
  if (service === undefined || rule === 'any' || rule === 'no token') return null;
  const [path = ''] = target.split('?');
  return `${method} ${service} ${path.replace(PROJECT_SEGMENT, '').replaceAll(UUID, '{id}')}`;
}

function withoutRecorded({ from_source, recorded }: PluginRequests): PluginRequests['from_source'] {
  const left = Object.entries(from_source).map(
    ([source, requests]) => [source, requests.filter((request) => !recorded.includes(request))] as const,
  );
  return Object.fromEntries(left.filter(([, requests]) => requests.length > 0));
}
