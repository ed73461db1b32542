import assert from 'node:assert/strict';
import type { ShareRecord } from '@gateway/openstack';
import { backupOf, snapshotOf, volumeOf } from '../../support/api/block-storage.ts';
import { storeCluster } from '../../support/api/clusters.ts';
import { serverOf } from '../../support/api/compute.ts';
import { newCaller, type TestCaller } from '../../support/api/factories.ts';
import { balancerOf } from '../../support/api/load-balancing.ts';
import { floatingIpOf, networkOf, portOf, routerOf } from '../../support/api/network.ts';
import { apiSuite, type TestApi } from '../../support/api/suite.ts';
import { fixture, fixtureBody } from '../../support/doubles/upstream.ts';
import { eventually } from '../../support/eventually.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The recorded catalog has no container service: here it shares an address with another one. */
const CONTAINERS = fixture('compute/servers').request.origin;
const OFTEN = { times: 1000, optional: true };

/** The calls that the tests count and declare, by the records that they return. */
const calls = {
  servers: ['compute/servers', /\/servers\/detail/],
  flavors: ['compute/flavors', /\/flavors\/detail/],
  volumes: ['block-storage/volumes', /\/volumes\/detail/],
  snapshots: ['block-storage/snapshots', /\/snapshots\/detail/],
  backups: ['block-storage/backups', /\/backups\/detail/],
  images: ['image/images', /\/v2\/images/],
  floatingips: ['network/network', /\/floatingips/],
  networks: ['network/network', /\/networks/],
  routers: ['network/network', /\/routers/],
  ports: ['network/network', /\/ports/],
  subnets: ['network/network', /\/subnets/],
  loadbalancers: ['load-balancer/load-balancers', /\/loadbalancers/],
  shares: ['shared-file-system/shares', /\/shares/],
  clusters: ['container-infra/clusters', /\/clusters\/detail/],
  containers: ['compute/servers', /\/v1\/containers/],
} as const satisfies Record<string, readonly [fixture: string, path: RegExp]>;

type Kind = keyof typeof calls;
type Records = Partial<Record<Kind, object[]>>;

interface StuckList {
  path: string;
  kind: Kind;
  /** The record that the service may send for months. */
  record(caller: TestCaller): object;
  /** Its time of change; null if the service has none. */
  time: string | null;
  /** What listeners call it, if there are events of the list. */
  type?: string;
  /** False for a list that is read anew for each request. */
  isCached?: boolean;
}

const image = fixtureBody<object[]>('image/images', 'images')[0];
const share = fixtureBody<ShareRecord[]>('shared-file-system/shares', 'shares')[0];
const cluster = fixtureBody<object[]>('container-infra/clusters', 'clusters')[0];

const busyServer = () => serverOf({ status: 'ACTIVE', 'OS-EXT-STS:task_state': 'powering-off' });
const floatingIp = (caller: TestCaller) => floatingIpOf(caller, { status: 'DOWN', port_id: 'port-1' });

const container = ({ projectId }: TestCaller) => ({
  uuid: 'container-1',
  name: 'web',
  project_id: projectId,
  status: 'Restarting',
  status_reason: null,
  image: 'nginx',
  command: null,
  cpu: 0.5,
  memory: '512M',
  addresses: {},
});
const layer = (caller: TestCaller) => ({
  ...share,
  status: 'extending',
  project_id: caller.projectId,
  metadata: { overlay_type: 'dynamic' },
});

const lists: StuckList[] = [
  { path: '/api/instances', kind: 'servers', record: busyServer, time: 'updated', type: 'instance' },
  {
    path: '/api/volumes',
    kind: 'volumes',
    record: (caller) => volumeOf(caller, { status: 'reserved' }),
    time: 'updated_at',
    type: 'volume',
  },
  {
    path: '/api/volume-snapshots',
    kind: 'snapshots',
    record: (caller) => snapshotOf(caller, { status: 'deleting' }),
    time: 'updated_at',
    type: 'snapshot',
    isCached: false,
  },
  {
    path: '/api/volumes/backups',
    kind: 'backups',
    record: () => backupOf({ status: 'restoring' }),
    time: 'updated_at',
    type: 'backup',
    isCached: false,
  },
  {
    path: '/api/images',
    kind: 'images',
    record: () => ({ ...image, status: 'queued', size: null }),
    time: 'updated_at',
    type: 'image',
  },
  {
    path: '/api/networks/floating-ips',
    kind: 'floatingips',
    record: floatingIp,
    time: 'updated_at',
    type: 'floating_ip',
  },
  {
    path: '/api/networks',
    kind: 'networks',
    record: (caller) => networkOf(caller, { status: 'BUILD' }),
    time: 'updated_at',
    type: 'network',
  },
  {
    path: '/api/routers',
    kind: 'routers',
    record: (caller) => routerOf(caller, { status: 'ALLOCATING' }),
    time: 'updated_at',
    type: 'router',
  },
  {
    path: '/api/loadbalancers',
    kind: 'loadbalancers',
    record: (caller) => balancerOf(caller, { provisioning_status: 'PENDING_UPDATE' }),
    time: 'updated_at',
    type: 'load_balancer',
  },
  {
    path: '/api/file-storage',
    kind: 'shares',
    record: (caller) => ({ ...share, status: 'extending', project_id: caller.projectId }),
    time: null,
    type: 'file_storage',
  },
  {
    path: '/api/clusters',
    kind: 'clusters',
    record: ({ projectId }) => ({ ...cluster, status: 'UPDATE_IN_PROGRESS', project_id: projectId }),
    time: 'updated_at',
    type: 'cluster',
    isCached: false,
  },
  {
    path: '/api/containers',
    kind: 'containers',
    record: container,
    time: 'updated_at',
    type: 'container',
    isCached: false,
  },
  { path: '/api/networks/topology', kind: 'floatingips', record: floatingIp, time: 'updated_at' },
  { path: '/api/dashboard/summary', kind: 'servers', record: busyServer, time: 'updated' },
  {
    path: '/api/user-dashboard',
    kind: 'volumes',
    record: (caller) => volumeOf(caller, { status: 'reserved', user_id: caller.userId }),
    time: 'updated_at',
  },
];

const adminLists: StuckList[] = [
  {
    path: '/api/admin/all-networks',
    kind: 'networks',
    record: (caller) => networkOf(caller, { status: 'BUILD' }),
    time: 'updated_at',
  },
  {
    path: '/api/admin/all-routers',
    kind: 'routers',
    record: (caller) => routerOf(caller, { status: 'ALLOCATING' }),
    time: 'updated_at',
  },
  { path: '/api/admin/all-floating-ips', kind: 'floatingips', record: floatingIp, time: 'updated_at' },
  {
    path: '/api/admin/all-ports',
    kind: 'ports',
    record: (caller) => portOf(caller, { status: 'BUILD' }),
    time: 'updated_at',
  },
  { path: '/api/admin/all-file-storages', kind: 'shares', record: layer, time: null },
  { path: '/api/admin/file-storage', kind: 'shares', record: layer, time: null },
  {
    path: '/api/admin/all-images',
    kind: 'images',
    record: () => ({ ...image, status: 'queued', size: null }),
    time: 'updated_at',
  },
  {
    path: '/api/admin/all-clusters',
    kind: 'clusters',
    record: ({ projectId }) => ({ ...cluster, status: 'UPDATE_IN_PROGRESS', project_id: projectId }),
    time: 'updated_at',
  },
  { path: '/api/admin/all-containers', kind: 'containers', record: container, time: 'updated_at' },
  { path: '/api/admin/topology', kind: 'floatingips', record: floatingIp, time: 'updated_at' },
];

describe('a row that stays in transition', () => {
  const suite = apiSuite();

  /** Nothing with a row in transition is kept, so each request for it is a call. */
  const settings = {
    services: { container: true, container_infra: true, shared_fs: true },
    identity: { endpoints: { container: `${CONTAINERS}/v1` } },
    cache: { transition_seconds: 0 },
  };

  function shows(records: Records): void {
    for (const [kind, [recorded, path]] of Object.entries(calls)) {
      const rows = records[kind as Kind] ?? [];
      const body = { [kind]: rows, ...(kind === 'shares' && { count: rows.length }) };
      suite.cloud.reply(recorded, { path, body, ...OFTEN });
    }
    for (const limits of ['compute/limits', 'block-storage/limits']) suite.cloud.reply(limits, OFTEN);
  }

  const callsMade = () => suite.cloud.calls().filter((call) => !call.includes('/auth/tokens')).length;

  const later = (time: string | null, changedAt: Date) =>
    time === null ? {} : { [time]: changedAt.toISOString().slice(0, 19) };

  function member(roles?: string[]): TestCaller {
    const caller = newCaller(roles && { roles });
    suite.cloud.acceptsToken(caller, OFTEN);
    return caller;
  }

  async function read(api: TestApi, path: string, caller: TestCaller, times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      const { status, text } = await api.get(path, { as: caller });
      assert.equal(status, 200, text);
    }
  }

  for (const { kind, path, record, time } of [...lists, ...adminLists].filter(
    ({ isCached = true }) => isCached,
  )) {
    const roles = path.startsWith('/api/admin') ? ['admin'] : undefined;

    it(`does not shorten the life of ${path}`, async () => {
      const api = await suite.start({ settings });
      const caller = member(roles);
      shows({ [kind]: [{ ...record(caller), ...later(time, new Date(Date.now() - 2 * DAY_MS)) }] });
      if (time === null) {
        await read(api, path, caller, 1);
        api.clock.advance(31 * 60);
      }
      const before = callsMade();
      await read(api, path, caller, 1);
      const first = callsMade() - before;
      await read(api, path, caller, 3);
      assert.ok(first > 0);
      assert.equal(callsMade() - before, first);
    });

    it(`is read anew in ${path} until then`, async () => {
      const api = await suite.start({ settings });
      const caller = member(roles);
      shows({ [kind]: [{ ...record(caller), ...later(time, new Date()) }] });
      for (let count = 0; count < 3; count += 1) {
        const before = callsMade();
        await read(api, path, caller, 1);
        assert.ok(callsMade() > before, 'the list is kept');
      }
    });
  }

  it('counts anew if the gateway has seen another state before', async () => {
    const api = await suite.start({ settings });
    const caller = member();
    const unchanged = later('updated_at', new Date(Date.now() - 2 * DAY_MS));
    const list = (status: string, times: number) =>
      suite.cloud.reply('block-storage/volumes', {
        body: { volumes: [volumeOf(caller, { status, ...unchanged })] },
        times,
      });
    list('available', 1);
    await read(api, '/api/volumes', caller, 2);
    list('attaching', 2);
    await read(api, '/api/volumes?refresh=true', caller, 1);
    await read(api, '/api/volumes', caller, 1);
    list('in-use', 1);
    await read(api, '/api/volumes', caller, 2);
  });

  it('counts for all processes, from the first that has seen it', async () => {
    const api = await suite.start({ settings });
    const caller = member();
    shows({ shares: [layer(caller)] });
    await read(api, '/api/file-storage', caller, 1);
    const other = await suite.start({ settings, keyPrefix: api.keyPrefix });
    other.clock.advance(31 * 60);
    await read(other, '/api/file-storage', caller, 1);
    const before = callsMade();
    await read(other, '/api/file-storage', caller, 3);
    assert.equal(callsMade(), before);
  });

  it('counts like a part of a dashboard that stays missing', async () => {
    const api = await suite.start({ settings });
    const caller = member();
    const refusal = { status: 403, body: { forbidden: { code: 403, message: 'No.' } } };
    suite.cloud.reply('compute/limits', { ...refusal, ...OFTEN });
    shows({});
    await read(api, '/api/dashboard/summary', caller, 1);
    let before = callsMade();
    await read(api, '/api/dashboard/summary', caller, 1);
    assert.ok(callsMade() > before, 'what is missing is soon read again');

    api.clock.advance(31 * 60);
    await read(api, '/api/dashboard/summary', caller, 1);
    before = callsMade();
    await read(api, '/api/dashboard/summary', caller, 3);
    assert.equal(callsMade(), before);
  });

  /** When the next poll is due, in milliseconds from now, once one has ended. */
  async function nextPoll(api: TestApi, { projectId }: TestCaller, type: string): Promise<number> {
    const key = `{jobs}:listening:${projectId}`;
    const due = await eventually(async () => {
      return (await api.context.redis.store.hget(key, `due:${type}`)) ?? undefined;
    });
    return Number(due) - Date.now();
  }

  const eventSettings = {
    ...settings,
    events: {
      interval_seconds: Object.fromEntries(
        [
          'instances',
          'volumes',
          'snapshots',
          'backups',
          'images',
          'networks',
          'load_balancers',
          'file_storages',
          'containers',
          'clusters',
          'lite_clusters',
        ].map((list) => [list, 3600]),
      ),
    },
  };

  for (const { kind, record, time, type } of lists) {
    if (type === undefined) continue;
    for (const isStuck of [true, false]) {
      it(`makes polls for events of type ${type} ${isStuck ? 'as rare as others' : 'frequent until then'}`, async () => {
        const api = await suite.start({ settings: eventSettings });
        const caller = member();
        const changedAt = new Date(Date.now() - (isStuck ? 2 * DAY_MS : 0));
        shows({ [kind]: [{ ...record(caller), ...later(time, changedAt) }] });
        if (isStuck && time === null) {
          await read(api, lists.find((each) => each.type === type)?.path ?? '', caller, 1);
          api.clock.advance(31 * 60);
        }
        const stream = await api.stream('GET', `/api/events?types=${type}`, { as: caller });
        const nextMs = await nextPoll(api, caller, type);
        stream.close();
        assert.equal(nextMs > 10 * MINUTE_MS, isStuck, `${nextMs} ms`);
      });
    }
  }

  for (const isStuck of [true, false]) {
    it(`makes polls of lite clusters ${isStuck ? 'as rare as others' : 'frequent until then'}`, async () => {
      const api = await suite.start({ settings: eventSettings });
      const caller = member();
      shows({});
      await storeCluster(api, caller, { status: 'CREATING' });
      if (isStuck) api.clock.advance(31 * 60);
      const stream = await api.stream('GET', '/api/events?types=lite_cluster', { as: caller });
      const nextMs = await nextPoll(api, caller, 'lite_cluster');
      stream.close();
      assert.equal(nextMs > 10 * MINUTE_MS, isStuck, `${nextMs} ms`);
    });
  }
});
