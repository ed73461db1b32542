import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

interface Row {
  id: string;
  name: string;
  status: string;
  task_state?: string | null;
  attachments?: { server_id: string }[];
  subnets?: string[];
  rules?: { id: string }[];
  ip_addresses?: { addr: string }[];
  connected_subnet_ids?: string[];
  external_gateway_network_id?: string | null;
}

interface FloatingIp extends Row {
  floating_ip_address: string;
  floating_network_id: string;
}

/** What a list shows after a write. */
type Shows = (rows: Row[]) => boolean;

/** TEST_ROUNDS=200 repeats each write often enough to find a rare race. */
const ROUNDS = Number(process.env.TEST_ROUNDS ?? 3);

describe('a write through the gateway', function () {
  this.timeout(60_000 + ROUNDS * 10_000);
  let stack: Stack;
  let writer: GatewayClient;
  /** The same session at another api process, which has cached each list before the write. */
  let reader: GatewayClient;
  let checks = 0;

  before(async () => {
    // Lists stay cached for long, even while a resource is in transition: only a drop makes a write visible.
    stack = await startTestStack({
      ...simulatedCloud,
      apis: 2,
      cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0' },
      config: {
        cache: {
          instances_seconds: 600,
          volumes_seconds: 600,
          file_storages_seconds: 600,
          networks_seconds: 600,
          security_groups_seconds: 600,
          transition_seconds: 600,
        },
        services: { container: true },
        rate_limits: {
          instance_create: 0,
          volume_create: 0,
          file_storage_create: 0,
          managed_cluster_create: 0,
        },
      },
    });
    writer = await GatewayClient.logIn(stack.url, testLogin('demo'));
    reader = writer.at(stack.apis[1]?.url ?? '');
  });

  after(() => stack?.stop());

  /** Performs a write, and asserts that the next read of each list at the other api process shows it. */
  async function assertShown<T>(
    write: () => Promise<T>,
    lists: Record<string, (made: T) => Shows>,
  ): Promise<T> {
    for (const path of Object.keys(lists)) await reader.read(path);
    const made = await write();
    for (const [path, shows] of Object.entries(lists)) {
      const rows = await reader.read<Row[]>(path);
      assert.ok(shows(made)(rows), `${path} shows the write`);
      checks += 1;
    }
    return made;
  }

  async function send<T = Row>(method: string, path: string, body?: object): Promise<T> {
    const answer = await writer.request<T>(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  }

  const has = (made: { id: string }) => (rows: Row[]) => rows.some(({ id }) => id === made.id);
  const lacks = (id: string) => () => (rows: Row[]) => rows.every((row) => row.id !== id);
  const isIn = (id: string, statuses: string[]) => () => (rows: Row[]) =>
    rows.some((row) => row.id === id && statuses.includes(row.status));

  /** Waits for a resource, without reading a list. */
  function waitFor(path: string, status: string): Promise<true> {
    return eventually(async () => ((await writer.read<Row>(path)).status === status ? true : undefined));
  }

  async function repeat(round: (number: number) => Promise<void>): Promise<void> {
    checks = 0;
    for (let number = 0; number < ROUNDS; number += 1) await round(number);
    assert.ok(checks >= ROUNDS);
  }

  it('to volumes, snapshots, backups and transfers is in their next lists', () =>
    repeat(async (number) => {
      const volume = await assertShown(
        () => send('POST', '/api/volumes', { name: `fresh-${number}`, size_gb: 1 }),
        { '/api/volumes': has },
      );
      await waitFor(`/api/volumes/${volume.id}`, 'available');
      const of = { name: 'fresh', volume_id: volume.id };
      const snapshot = await assertShown(() => send('POST', '/api/volume-snapshots', of), {
        '/api/volume-snapshots': has,
      });
      await waitFor(`/api/volume-snapshots/${snapshot.id}`, 'available');
      await assertShown(() => send('DELETE', `/api/volume-snapshots/${snapshot.id}`), {
        '/api/volume-snapshots': () => (rows) =>
          rows.every(({ id, status }) => id !== snapshot.id || status === 'deleting'),
      });
      const backup = await assertShown(() => send('POST', '/api/volumes/backups', of), {
        '/api/volumes/backups': has,
      });
      await waitFor(`/api/volumes/backups/${backup.id}`, 'available');
      await assertShown(() => send('DELETE', `/api/volumes/backups/${backup.id}`), {
        '/api/volumes/backups': () => (rows) =>
          rows.every(({ id, status }) => id !== backup.id || status === 'deleting'),
      });
      await waitFor(`/api/volumes/${volume.id}`, 'available');
      const transfer = await assertShown(() => send('POST', `/api/volumes/${volume.id}/transfer`, {}), {
        '/api/volumes/transfers': has,
        '/api/volumes': isIn(volume.id, ['awaiting-transfer']),
      });
      await assertShown(() => send('DELETE', `/api/volumes/transfer/${transfer.id}`), {
        '/api/volumes/transfers': lacks(transfer.id),
        '/api/volumes': isIn(volume.id, ['available']),
      });
      await eventually(async () => {
        const rows = await writer.read<Row[]>('/api/volume-snapshots');
        return rows.every(({ id }) => id !== snapshot.id) || undefined;
      });
      await assertShown(() => send('DELETE', `/api/volumes/${volume.id}`), {
        '/api/volumes': () => (rows) =>
          rows.every(({ id, status }) => id !== volume.id || status === 'deleting'),
      });
    }));

  it('to key pairs is in the next read of their list', () =>
    repeat(async (number) => {
      const name = `fresh-${number}`;
      const named = (rows: Row[]) => rows.some((row) => row.name === name);
      await assertShown(() => send('POST', '/api/keypairs', { name }), { '/api/keypairs': () => named });
      await assertShown(() => send('DELETE', `/api/keypairs/${name}`), {
        '/api/keypairs': () => (rows) => !named(rows),
      });
    }));

  it('to file storages is in the next read of their list', () =>
    repeat(async () => {
      const share = await assertShown(
        () => send('POST', '/api/file-storage', { name: 'fresh', size_gb: 1 }),
        { '/api/file-storage': has },
      );
      await waitFor(`/api/file-storage/${share.id}`, 'available');
      await assertShown(() => send('DELETE', `/api/file-storage/${share.id}`), {
        '/api/file-storage': () => (rows) =>
          rows.every(({ id, status }) => id !== share.id || status === 'deleting'),
      });
    }));

  it('to networks and subnets is in the next read of their list', () =>
    repeat(async (number) => {
      const list = '/api/networks';
      const network = await assertShown(() => send('POST', list, { name: `fresh-${number}` }), {
        [list]: has,
      });
      const subnetsOf = (rows: Row[]) => rows.find(({ id }) => id === network.id)?.subnets ?? [];
      const subnet = await assertShown(
        () => send('POST', `${list}/${network.id}/subnets`, { name: 'fresh', cidr: '10.98.0.0/24' }),
        { [list]: (made) => (rows) => subnetsOf(rows).includes(made.id) },
      );
      await assertShown(() => send('DELETE', `${list}/subnets/${subnet.id}`), {
        [list]: () => (rows) => subnetsOf(rows).length === 0,
      });
      await assertShown(() => send('DELETE', `${list}/${network.id}`), { [list]: lacks(network.id) });
    }));

  it('to routers, interfaces and gateways is in their next list', async () => {
    const list = '/api/routers';
    const { id: networkId } = await send('POST', '/api/networks', { name: 'routed' });
    const subnet = { name: 'routed', cidr: '10.97.0.0/24' };
    const { id: subnet_id } = await send('POST', `/api/networks/${networkId}/subnets`, subnet);
    const networks = await writer.read<(Row & { is_external: boolean })[]>('/api/networks');
    const external_network_id = networks.find(({ is_external }) => is_external)?.id;
    await repeat(async (number) => {
      const router = await assertShown(() => send('POST', list, { name: `fresh-${number}` }), {
        [list]: has,
      });
      const path = `${list}/${router.id}`;
      const row = (rows: Row[]) => rows.find(({ id }) => id === router.id);
      const connects = (is: boolean) => () => (rows: Row[]) =>
        row(rows)?.connected_subnet_ids?.includes(subnet_id) === is;
      const leads = (is: boolean) => () => (rows: Row[]) =>
        (row(rows)?.external_gateway_network_id === external_network_id) === is;
      const connect = () => send('POST', `${path}/interfaces`, { subnet_id });
      await assertShown(connect, { [list]: connects(true) });
      const lead = () => send('POST', `${path}/gateway`, { external_network_id });
      await assertShown(lead, { [list]: leads(true) });
      await assertShown(() => send('DELETE', `${path}/gateway`), { [list]: leads(false) });
      await assertShown(() => send('DELETE', `${path}/interfaces/${subnet_id}`), {
        [list]: connects(false),
      });
      await assertShown(() => send('DELETE', path), { [list]: lacks(router.id) });
    });
    // Instances choose the only network of the project.
    await send('DELETE', `/api/networks/subnets/${subnet_id}`);
    await send('DELETE', `/api/networks/${networkId}`);
  });

  it('to networks, subnets, routers and floating IPs is in the next topology', () =>
    repeat(async () => {
      type Drawing = Record<'networks' | 'routers' | 'floating_ips', { id: string; subnets?: string[] }[]>;
      const draw = () => reader.read<Drawing>('/api/networks/topology');
      const { networks } = await draw();
      const make = async (kind: keyof Drawing, path: string, body: object) => {
        const made = await send('POST', path, body);
        const drawn = (await draw())[kind];
        assert.ok(
          drawn.some(({ id, subnets }) => id === made.id || subnets?.includes(made.id)),
          path,
        );
        checks += 1;
        return made.id;
      };
      const drop = async (kind: keyof Drawing, path: string) => {
        await send('DELETE', path);
        const drawn = (await draw())[kind];
        assert.ok(
          drawn.every(
            ({ id, subnets = [] }) => !path.endsWith(id) && !subnets.some((one) => path.endsWith(one)),
          ),
          path,
        );
        checks += 1;
      };
      const network = await make('networks', '/api/networks', { name: 'drawn' });
      const subnet = { name: 'drawn', cidr: '10.96.0.0/24' };
      const subnetId = await make('networks', `/api/networks/${network}/subnets`, subnet);
      const router = await make('routers', '/api/routers', { name: 'drawn' });
      const external = (networks as (Row & { is_external: boolean })[]).find(
        ({ is_external }) => is_external,
      );
      const body = { floating_network_id: external?.id };
      const floating = await make('floating_ips', '/api/networks/floating-ips', body);
      await drop('floating_ips', `/api/networks/floating-ips/${floating}`);
      await drop('routers', `/api/routers/${router}`);
      await drop('networks', `/api/networks/subnets/${subnetId}`);
      await drop('networks', `/api/networks/${network}`);
    }));

  it('to security groups and rules is in their next list', () =>
    repeat(async (number) => {
      const list = '/api/security-groups';
      const group = await assertShown(() => send('POST', list, { name: `fresh-${number}` }), { [list]: has });
      const rulesOf = (rows: Row[]) => rows.find(({ id }) => id === group.id)?.rules ?? [];
      const rule = await assertShown(
        () => send('POST', `${list}/${group.id}/rules`, { direction: 'ingress', protocol: 'tcp' }),
        { [list]: (made) => (rows) => rulesOf(rows).some(({ id }) => id === made.id) },
      );
      await assertShown(() => send('DELETE', `${list}/${group.id}/rules/${rule.id}`), {
        [list]: () => (rows) => rulesOf(rows).every(({ id }) => id !== rule.id),
      });
      await assertShown(() => send('DELETE', `${list}/${group.id}`), { [list]: lacks(group.id) });
    }));

  it('to an instance, even by a job, is in its next lists', async () => {
    const request = await writer.smallInstanceRequest('fresh');
    await repeat(async () => {
      const instance = await assertShown(() => send('POST', '/api/instances', request), {
        '/api/instances': has,
        '/api/volumes': (made) => (rows) =>
          rows.some(({ attachments = [] }) => attachments.some(({ server_id }) => server_id === made.id)),
      });
      const path = `/api/instances/${instance.id}`;
      const row = (rows: Row[]) => rows.find(({ id }) => id === instance.id);
      await assertShown(() => send('POST', `${path}/stop`), {
        '/api/instances': () => (rows) =>
          row(rows)?.status === 'SHUTOFF' || row(rows)?.task_state === 'powering-off',
      });
      await waitFor(path, 'SHUTOFF');
      await assertShown(() => send('POST', `${path}/start`), {
        '/api/instances': () => (rows) =>
          row(rows)?.status === 'ACTIVE' || row(rows)?.task_state === 'powering-on',
      });
      await waitFor(path, 'ACTIVE');
      const volume = await send('POST', '/api/volumes', { name: 'fresh', size_gb: 1 });
      await waitFor(`/api/volumes/${volume.id}`, 'available');
      await assertShown(() => send('POST', `${path}/volumes`, { volume_id: volume.id }), {
        '/api/volumes': isIn(volume.id, ['reserved', 'attaching', 'in-use']),
      });
      await waitFor(`/api/volumes/${volume.id}`, 'in-use');
      await assertShown(() => send('DELETE', `${path}/volumes/${volume.id}`), {
        '/api/volumes': isIn(volume.id, ['detaching', 'available']),
      });
      await waitFor(`/api/volumes/${volume.id}`, 'available');
      await send('DELETE', `/api/volumes/${volume.id}`);
      const floatingIps = '/api/networks/floating-ips';
      const shows = (address: string, is: boolean) => () => (rows: Row[]) =>
        row(rows)?.ip_addresses?.some(({ addr }) => addr === address) === is;
      const [first] = await reader.read<FloatingIp[]>(floatingIps);
      await assertShown(() => send('DELETE', `${path}/floating-ip`), {
        [floatingIps]: () => (rows) => rows.length === 0,
        '/api/instances': shows(first?.floating_ip_address ?? '', false),
      });
      const floating_network_id = first?.floating_network_id;
      const create = () => send<FloatingIp>('POST', floatingIps, { floating_network_id });
      const made = await assertShown(create, { [floatingIps]: has });
      const { floating_ip_address: address } = made;
      const associate = () =>
        send('POST', `${floatingIps}/${made.id}/associate`, { instance_id: instance.id });
      await assertShown(associate, {
        [floatingIps]: isIn(made.id, ['ACTIVE']),
        '/api/instances': shows(address, true),
      });
      await assertShown(() => send('POST', `${floatingIps}/${made.id}/disassociate`), {
        [floatingIps]: isIn(made.id, ['DOWN']),
        '/api/instances': shows(address, false),
      });
      await assertShown(associate, { '/api/instances': shows(address, true) });
      await assertShown(() => send('DELETE', `${floatingIps}/${made.id}`), {
        [floatingIps]: lacks(made.id),
        '/api/instances': shows(address, false),
      });
      await assertShown(() => send('DELETE', path), {
        '/api/instances': () => (rows) => row(rows) === undefined || row(rows)?.task_state === 'deleting',
      });
      await eventually(
        async () => row(await writer.read<Row[]>('/api/instances')) === undefined || undefined,
      );
    });
  });

  it('to load balancers is in the next read of their list', async () => {
    const cloud = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('demo'));
    const { subnets } = await cloud.call<{ subnets: { id: string }[] }>(
      'network',
      'GET',
      '/v2.0/subnets?name=demo-subnet',
    );
    const body = { name: 'fresh', vip_subnet_id: subnets[0]?.id };
    await repeat(async () => {
      const { id } = await assertShown(() => send('POST', '/api/loadbalancers', body), {
        '/api/loadbalancers': has,
      });
      const path = `/api/loadbalancers/${id}`;
      await waitFor(path, 'ACTIVE');
      await assertShown(() => send('DELETE', path), {
        '/api/loadbalancers': () => (rows) =>
          rows.every((row) => row.id !== id || row.status === 'PENDING_DELETE'),
      });
    });
  });

  it('to managed clusters is in the next read of their list', () =>
    repeat(async () => {
      const body = { name: 'fresh', cluster_template_id: 'k8s-template' };
      const { id } = await assertShown(() => send('POST', '/api/clusters', body), { '/api/clusters': has });
      await waitFor(`/api/clusters/${id}`, 'CREATE_COMPLETE');
      await assertShown(() => send('DELETE', `/api/clusters/${id}`), {
        '/api/clusters': () => (rows) =>
          rows.every((row) => row.id !== id || row.status === 'DELETE_IN_PROGRESS'),
      });
    }));

  it('to containers is in the next read of their list', () =>
    repeat(async () => {
      const { id } = await assertShown(() => send('POST', '/api/containers', { image: 'nginx' }), {
        '/api/containers': has,
      });
      const path = `/api/containers/${id}`;
      await waitFor(path, 'Created');
      await assertShown(() => send('POST', `${path}/start`), {
        '/api/containers': isIn(id, ['Created', 'Running']),
      });
      await waitFor(path, 'Running');
      await assertShown(() => send('DELETE', path), {
        '/api/containers': () => (rows) => rows.every((row) => row.id !== id || row.status === 'Deleting'),
      });
    }));

  it("that accepts a transfer is in both projects' next lists", async () => {
    const alice = await GatewayClient.logIn(stack.url, testLogin('alice'));
    const aliceReads = alice.at(reader.url);
    const hasVolume = async (who: GatewayClient, id: string) =>
      has({ id })(await who.read<Row[]>('/api/volumes'));
    await repeat(async (number) => {
      const { id } = await send('POST', '/api/volumes', { name: `given-${number}`, size_gb: 1 });
      await waitFor(`/api/volumes/${id}`, 'available');
      const offer = await send<{ id: string; auth_key: string }>('POST', `/api/volumes/${id}/transfer`);
      assert.deepEqual([await hasVolume(reader, id), await hasVolume(aliceReads, id)], [true, false]);

      const path = `/api/volumes/transfer/${offer.id}/accept`;
      const accepted = await alice.request('POST', path, { auth_key: offer.auth_key });

      assert.equal(accepted.status, 200, accepted.text);
      assert.deepEqual([await hasVolume(reader, id), await hasVolume(aliceReads, id)], [false, true]);
      checks += 1;
      await alice.request('POST', `/api/volumes/${id}/force-delete`);
    });
  });
});
