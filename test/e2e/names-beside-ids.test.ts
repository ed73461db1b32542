import assert from 'node:assert/strict';
import { endpoints } from '../../apps/api/src/routes/index.ts';
import { type Cloudsim, startCloudsim } from '../../apps/cloudsim/src/server.ts';
import type { Stack } from '../../scripts/stack.ts';
import { demoServiceUser } from '../../scripts/stack-environment.ts';
import { CloudsimControl, type FaultSpec } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { coldCaches } from '../support/stacks/cold-caches.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';
import { createOneOfEach } from '../support/subjects/one-of-each.ts';

/** Reads in pages, and of several kinds of rows at once. */
const NO_ARRAYS = [
  '/api/admin/all-instances',
  '/api/admin/all-volumes',
  '/api/admin/projects',
  '/api/admin/topology',
  '/api/admin/users',
  '/api/networks/topology',
];

const lists = endpoints.filter(
  ({ listRows, method, path }) => method === 'GET' && (listRows !== undefined || NO_ARRAYS.includes(path)),
);

/**
 * The names that readers do not learn: members those of users, and of the projects of other networks and of
 * layers; administrators those of devices that are neither instances nor routers.
 */
const HIDDEN: Record<string, readonly string[]> = {
  '/api/instances': ['user_name'],
  '/api/volumes': ['user_name'],
  '/api/networks': ['project_name'],
  '/api/networks/topology': ['project_name'],
  '/api/file-storage': ['user_name'],
  '/api/libraries/shares': ['project_name', 'user_name'],
  '/api/admin/all-ports': ['device_name'],
};

/** Lists, a call of another service that provides names, and the names that are missing without it. */
const SOURCES: [path: string, service: string, operation: string, missing: readonly string[]][] = [
  ['/api/volumes', 'compute', 'servers.list_detail', ['server_name']],
  ['/api/volume-snapshots', 'block-storage', 'volumes.list_detail', ['volume_name']],
  ['/api/networks/floating-ips', 'compute', 'servers.list_detail', ['instance_name']],
  ['/api/networks/floating-ips', 'network', 'networks.list', ['floating_network_name']],
  ['/api/routers', 'network', 'subnets.list', ['connected_subnet_names']],
  ['/api/loadbalancers', 'network', 'subnets.list', ['vip_subnet_name']],
  ['/api/clusters', 'container-infra', 'templates.list_detail', ['cluster_template_name']],
  ['/api/admin/all-instances', 'identity', 'projects.list', ['project_name']],
  ['/api/admin/all-instances', 'identity', 'users.list', ['user_name']],
  ['/api/admin/all-ports', 'compute', 'servers.list_detail', ['device_name']],
  ['/api/admin/projects', 'identity', 'domains.list', ['domain_name']],
];

/** The fields for names that have none although the ids beside them are known. */
function namelessIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  const row = value as Record<string, unknown>;
  const own = Object.keys(row).filter((field) => {
    const id = row[field.replace(/_name(s?)$/, '_id$1')];
    const name = row[field];
    if (field.endsWith('_names')) return (name as unknown[]).includes(null);
    return field.endsWith('_name') && typeof id === 'string' && id !== '' && name === null;
  });
  return [...new Set([...own, ...Object.values(row).flatMap(namelessIn)])].sort();
}

/** The same without names beside ids. */
function withoutNames(value: unknown): string {
  return JSON.stringify(value, (field, inner: unknown) => (/_names?$/.test(field) ? undefined : inner));
}

describe('names beside ids', function () {
  this.timeout(240_000);
  let cloudsim: Cloudsim;
  let stack: Stack;
  let control: CloudsimControl;
  let readers: { project: GatewayClient; admin: GatewayClient };
  let ids: Record<string, string>;

  before(async () => {
    cloudsim = await startCloudsim({ delayScale: 0 });
    stack = await startTestStack({
      ...simulatedCloud,
      cloudsim: false,
      identityUrl: cloudsim.identityUrl,
      env: demoServiceUser,
      config: {
        services: { container: true, lite: true },
        cache: coldCaches,
        time_limits: { dashboard_part_seconds: 4 },
      },
    });
    control = new CloudsimControl(cloudsim.url);
    readers = {
      project: await GatewayClient.logIn(stack.url, testLogin('demo')),
      admin: await GatewayClient.logIn(stack.url, testLogin('admin')),
    };
    ids = await createOneOfEach(readers.project, cloudsim);
    await attachVolume(readers.project, ids);
  });

  afterEach(() => control.clear());

  after(async () => {
    await stack?.stop();
    await cloudsim?.close();
  });

  async function read(path: string): Promise<unknown> {
    const reader = readers[path.startsWith('/api/admin/') ? 'admin' : 'project'];
    return reader.read(path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? name));
  }

  for (const { path } of lists) {
    const hidden = HIDDEN[path] ?? [];
    it(`are in all rows of GET ${path}${hidden.length > 0 ? `, but no ${hidden.join(', ')}` : ''}`, async () => {
      assert.deepEqual(namelessIn(await read(path)), hidden);
    });
  }

  for (const [path, service, operation, missing] of SOURCES) {
    const faults: [string, FaultSpec][] = [
      ['fails', { status: 503 }],
      ['is refused', { status: 403 }],
      ['does not answer', { hang: true }],
    ];
    for (const [what, fault] of faults) {
      it(`are missing in ${path}, not its rows, if ${service} ${operation} ${what}`, async () => {
        const hidden = HIDDEN[path] ?? [];
        const rows = await read(path);
        await control.addFault({ service, operation, ...fault, times: 0 });

        const without = await read(path);

        assert.deepEqual(namelessIn(without), [...new Set([...hidden, ...missing])].sort());
        assert.equal(withoutNames(without), withoutNames(rows));
      });
    }
  }
});

/** An instance has a floating IP from its creation. */
async function attachVolume(gateway: GatewayClient, ids: Record<string, string>): Promise<void> {
  await eventually(async () => {
    const { status } = await gateway.read<{ status: string }>(`/api/instances/${ids.instance_id}`);
    return status === 'ACTIVE' || undefined;
  });
  const { volume_id } = ids;
  const answer = await gateway.request('POST', `/api/instances/${ids.instance_id}/volumes`, { volume_id });
  assert.ok(answer.status < 300, answer.text);
}
