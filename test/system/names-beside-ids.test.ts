import assert from 'node:assert/strict';
import { endpoints } from '../../apps/api/src/routes/index.ts';
import type { Cloudsim } from '../../apps/cloudsim/src/server.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { CloudsimControl, type FaultSpec } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { coldCaches } from '../support/stacks/cache-lifetimes.ts';
import { type CloudInProcess, startCloudInProcess } from '../support/stacks/cloud-in-process.ts';
import { serviceLogin, testLogin } from '../support/stacks/test-stack.ts';
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

/** Messages to webhooks have no ids of others. */
const lists = endpoints.filter(
  ({ listRows, method, path }) =>
    method === 'GET' && (listRows !== undefined || NO_ARRAYS.includes(path)) && !path.endsWith('/deliveries'),
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

/**
 * Names that no row has here: the simulated cloud has no images of others, share types with share networks,
 * or roles of domains.
 */
const UNNAMED: Record<string, readonly string[]> = {
  '/api/images': ['owner_name'],
  // Only of a volume that is attached to a host.
  '/api/volumes': ['host_name'],
  '/api/file-storage': ['library_name', 'share_network_name'],
  '/api/libraries/shares': ['share_network_name'],
  '/api/admin/all-file-storages': ['share_network_name'],
  '/api/admin/file-storage': ['share_network_name'],
  '/api/admin/roles': ['domain_name'],
  // Those of the site are of no project.
  '/api/admin/webhooks': ['project_name'],
};

/** Lists without rows here. */
const EMPTY: readonly string[] = [
  '/api/auth/application-credentials',
  '/api/auth/providers',
  '/api/networks/dns',
  '/api/lite/clusters/health',
  '/api/lite/clusters',
  '/api/admin/all-lite-clusters',
  '/api/admin/file-storage/builds',
];

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
  ['/api/admin/webhooks', 'identity', 'users.list', ['user_name']],
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

/** The fields for names that are empty in all rows. */
function unnamedIn(rows: unknown): string[] {
  const named = new Map<string, boolean>();
  JSON.stringify(rows, (field, value: unknown) => {
    if (/_names?$/.test(field)) {
      const isNamed = Array.isArray(value) ? value.length > 0 : value !== null && value !== '';
      named.set(field, named.get(field) === true || isNamed);
    }
    return value;
  });
  return [...named].filter(([, isNamed]) => !isNamed).map(([field]) => field);
}

/** The same without names beside ids. */
function withoutNames(value: unknown): string {
  return JSON.stringify(value, (field, inner: unknown) => (/_names?$/.test(field) ? undefined : inner));
}

describe('names beside ids', function () {
  this.timeout(240_000);
  let system: CloudInProcess | undefined;
  let control: CloudsimControl;
  let readers: { project: GatewayClient; admin: GatewayClient };
  let ids: Record<string, string>;

  before(async () => {
    system = await startCloudInProcess({
      services: { container: true, lite: true },
      cache: coldCaches,
      time_limits: { dashboard_part_seconds: 4 },
    });
    const { cloudsim, stack } = system;
    control = new CloudsimControl(cloudsim.url);
    readers = { project: system.gateway, admin: system.administrator };
    ids = await createOneOfEach(readers.project, cloudsim);
    await attachVolume(readers.project, ids);
    await createNamed(readers, ids, cloudsim);
    await createWebhook(readers.project, '/api/webhooks');
    // The name of a reader is in the token.
    await createWebhook(await GatewayClient.logIn(stack.url, serviceLogin), '/api/admin/webhooks');
  });

  afterEach(() => control.clear());

  after(() => system?.stop());

  async function read(path: string): Promise<unknown> {
    const reader = readers[path.startsWith('/api/admin/') ? 'admin' : 'project'];
    return reader.read(path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? name));
  }

  for (const { path } of lists) {
    const hidden = HIDDEN[path] ?? [];
    it(`are in all rows of GET ${path}${hidden.length > 0 ? `, but no ${hidden.join(', ')}` : ''}`, async () => {
      const rows = await read(path);

      assert.equal(Array.isArray(rows) && rows.length === 0, EMPTY.includes(path));
      assert.deepEqual(namelessIn(rows), hidden);
      const unnamed = unnamedIn(rows).filter((field) => !hidden.includes(field));
      assert.deepEqual(unnamed, UNNAMED[path] ?? []);
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
    return status === 'ACTIVE';
  });
  const { volume_id } = ids;
  const answer = await gateway.request('POST', `/api/instances/${ids.instance_id}/volumes`, { volume_id });
  assert.ok(answer.status < 300, answer.text);
}

async function createWebhook(gateway: GatewayClient, path: string): Promise<void> {
  const answer = await gateway.request('POST', path, { url: 'https://hooks.example.org/' });
  assert.equal(answer.status, 201, answer.text);
}

/** Fills the fields for names that are empty in the rows of `createOneOfEach`. */
async function createNamed(
  { project, admin }: { project: GatewayClient; admin: GatewayClient },
  { group_id, instance_id, lb_id, network_id, pool_id, project_id }: Record<string, string>,
  cloudsim: Cloudsim,
): Promise<void> {
  const cloud = await CloudClient.logIn(cloudsim.identityUrl, testLogin('demo'));
  const create = async (gateway: GatewayClient, path: string, body: object) => {
    const answer = await gateway.request<{ id: string }>('POST', path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.id;
  };
  const { subnets } = await cloud.call<{ subnets: { id: string }[] }>(
    'network',
    'GET',
    `/v2.0/subnets?network_id=${network_id}`,
  );
  const subnet_id = subnets[0]?.id;
  await cloud.call('sharev2', 'POST', '/share-networks', {
    share_network: { name: 'named', neutron_net_id: network_id, neutron_subnet_id: subnet_id },
  });
  const { port } = await cloud.call<{ port: { id: string } }>('network', 'POST', '/v2.0/ports', {
    port: { name: 'named', network_id },
  });
  await create(project, '/api/keypairs', { name: 'named' });
  const server_group_id = await create(project, '/api/server-groups', { name: 'named', policy: 'affinity' });
  await create(project, '/api/instances', {
    ...(await project.smallInstanceRequest('named')),
    key_name: 'named',
    networks: [{ network_id }, { port_id: port.id }],
    floating_ip: false,
    server_group_id,
    libraries: ['python311'],
  });
  const [own] = await project.read<{ port_id: string }[]>(`/api/instances/${instance_id}/interfaces`);
  await cloud.call('network', 'PUT', `/v2.0/ports/${own?.port_id}`, { port: { name: 'of rows' } });
  const user = await admin.request<{ id: string }>('POST', '/api/admin/users', {
    name: 'named',
    password: 'Named-2026',
  });
  assert.equal(user.status, 201, user.text);
  const cloudUser = cloudsim.cloud.identity.users.get(user.body.id);
  assert.ok(cloudUser);
  cloudUser.defaultProjectId = project_id ?? null;
  const joined = await admin.request('PUT', `/api/admin/groups/${group_id}/users/${user.body.id}`);
  assert.equal(joined.status, 204, joined.text);
  const balancer = `/api/loadbalancers/${lb_id}`;
  const renamed = await project.request('PUT', `${balancer}/pools/${pool_id}`, { name: 'named' });
  assert.equal(renamed.status, 200, renamed.text);
  await create(project, `${balancer}/listeners`, {
    protocol: 'HTTP',
    protocol_port: 81,
    default_pool_id: pool_id,
  });
  const address = { address: '10.10.0.10', protocol_port: 80, subnet_id };
  await create(project, `${balancer}/pools/${pool_id}/members`, address);
}
