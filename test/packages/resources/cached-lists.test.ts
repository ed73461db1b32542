import assert from 'node:assert/strict';
import { type CacheKey, ListCache, type ListReader, type LoadOptions } from '@gateway/cache';
import { GatewayError, type ResourceName, systemClock } from '@gateway/core';
import {
  type BoundClient,
  type FlavorRecord,
  type ImageRecord,
  type RouterRecord,
  serverRecord,
  volumeRecord,
} from '@gateway/openstack';
import type { CacheConfig } from '@gateway/platform';
import {
  blockStorageLimitsList,
  type CachedList,
  cachedLists,
  computeLimitsList,
  dashboardSummary,
  dropLists,
  flavorList,
  gpuTypeList,
  imageLists,
  instanceList,
  type ListSources,
  monitoringSummary,
  userDashboard,
} from '@gateway/resources';
import type { RedisConnections } from '@gateway/store';
import { cachedBody } from '../../support/cached-body.ts';
import { asRecord } from '../../support/doubles/as-record.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';
import { connectRedis } from '../../support/redis/test-redis.ts';

const lifetimes: CacheConfig = {
  instancesSeconds: 15,
  volumesSeconds: 15,
  imagesSeconds: 300,
  flavorsSeconds: 300,
  limitsSeconds: 30,
  networksSeconds: 30,
  securityGroupsSeconds: 60,
  fileStoragesSeconds: 30,
  librariesSeconds: 60,
  adminSeconds: 30,
  namesSeconds: 60,
  quotasSeconds: 300,
  choicesSeconds: 300,
  transitionSeconds: 1,
  transitionLimitSeconds: 1800,
  processBytes: 0,
};

const [sent] = fixtureBody<unknown[]>('compute/servers', 'servers');
const server = asRecord(serverRecord, sent);
const [sentVolume] = fixtureBody<unknown[]>('block-storage/volumes', 'volumes');
const volume = asRecord(volumeRecord, sentVolume);
const flavors = fixtureBody<FlavorRecord[]>('compute/flavors', 'flavors');
const images = fixtureBody<ImageRecord[]>('image/images', 'images');

/** Lists that are added later have tests of their own. */
const known: CachedList<unknown>[] = [
  imageLists.project,
  flavorList,
  instanceList,
  computeLimitsList,
  blockStorageLimitsList,
];

/** A cloud with this many servers and volumes, which records its calls. All other lists are empty. */
function cloudWith(rows: number): { openstack: BoundClient; calls: string[] } {
  const calls: string[] = [];
  function answer<T>(call: string, response: T) {
    return async () => {
      calls.push(call);
      return response;
    };
  }
  function records<T>(call: string, record: T) {
    const list = answer<T[]>(call, Array(rows).fill(record));
    return { list, listAs: async <Row>(present: (item: T) => Row) => (await list()).map(present) };
  }
  const openstack = {
    compute: {
      servers: records('servers.list', server),
      flavors: { list: answer('flavors.list', flavors) },
      limits: { get: answer('compute.limits', { maxTotalInstances: 10 }) },
      quotas: { get: answer('compute.quotas', fixtureBody('compute/quotas', 'quota_set')) },
    },
    blockStorage: {
      volumes: records('volumes.list', volume),
      limits: { get: answer('storage.limits', { maxTotalVolumes: 10 }) },
      quotas: { get: answer('storage.quotas', fixtureBody('block-storage/quotas', 'quota_set')) },
    },
    image: { images: { list: answer('images.list', images) } },
    placement: {
      providers: {
        list: answer('providers.list', []),
        summaries: answer('providers.summaries', new Map()),
      },
    },
  };
  return { openstack: withEmptyRest(openstack) as BoundClient, calls };
}

/** Answers all other calls with empty lists. */
function withEmptyRest(services: Record<string, Record<string, object>>): unknown {
  const nothing = async () => [];
  const complete = (resource: object = {}) =>
    new Proxy(resource, { get: (known, name) => Reflect.get(known, name) ?? nothing });
  const rest = (resources: Record<string, object> = {}) =>
    new Proxy(resources, { get: (_, name: string) => complete(resources[name]) });
  const has = () => true;
  return new Proxy(services, {
    get: (_, name: string) => (name === 'has' ? has : rest(services[name])),
  });
}

describe('cachedLists', () => {
  let redis: RedisConnections;
  let cache: ListCache;

  beforeEach(async () => {
    redis = await connectRedis({ retryPolicy: 'fail-fast' });
    cache = new ListCache(redis.cache);
  });

  afterEach(() => redis.close());

  function sources(openstack: BoundClient, reader: Partial<ListReader> = {}): ListSources {
    return {
      openstack,
      reader: { projectId: 'p1', projectName: 'one', userId: 'u1', roles: ['member'], ...reader },
      isAdministrator: true,
      mayChange: true,
      cache,
      lifetimes,
      clock: systemClock,
      config: {
        gpu: { devices: [] },
        instances: { disksAreShared: false },
        libraries: [],
        services: { sharedFs: true, lite: true, containerInfra: true, container: true },
        jobs: { keepSeconds: 86_400, lateCallSeconds: 120 },
        timeLimits: { dashboardPartSeconds: 10, firstBootSeconds: 3600 },
      },
      serviceUser: async () => openstack,
      countLiteClusters: async () => 0,
      readGpuRecords: async () => ({ limits: {}, defaults: {}, reserved: [] }),
      readFirstBoots: async () => new Map(),
      owners: {
        ofJobs: async () => ({ jobs: new Map(), underDeletion: new Set(), leftovers: [], restoredAt: null }),
        ofClusters: async () => ({ clusters: new Map(), creationJobIds: new Set() }),
        leftovers: async () => [],
      },
    };
  }

  it('are collected from the resources, each with a unique name', () => {
    assert.deepEqual(
      known.filter((list) => !cachedLists.includes(list)),
      [],
    );
    assert.equal(new Set(cachedLists.map(({ name }) => name)).size, cachedLists.length);
  });

  it('have the configured lifetimes', () => {
    const seconds = known.map((list) => [list.name, list.keeping(lifetimes).ttlSeconds([], false)]);
    assert.deepEqual(Object.fromEntries(seconds), {
      images: 300,
      flavors: 300,
      instances: 15,
      computeLimits: 30,
      storageLimits: 30,
    });
  });

  for (const rows of [0, 1, 500]) {
    it(`list ${rows} instances with four calls, and two once cached`, async () => {
      const { openstack, calls } = cloudWith(rows);
      assert.equal((await instanceList.load(sources(openstack))).length, rows);
      assert.deepEqual(calls.splice(0).sort(), [
        'flavors.list',
        'images.list',
        'servers.list',
        'volumes.list',
      ]);
      await instanceList.load(sources(openstack));
      assert.deepEqual(calls.sort(), ['servers.list', 'volumes.list']);
    });
  }

  it('make one call for each other list', async () => {
    const expected: [CachedList<unknown>, string][] = [
      [imageLists.project, 'images.list'],
      [flavorList, 'flavors.list'],
      [computeLimitsList, 'compute.limits'],
      [blockStorageLimitsList, 'storage.limits'],
    ];
    for (const [list, call] of expected) {
      const { openstack, calls } = cloudWith(3);
      await list.load(sources(openstack));
      assert.deepEqual(calls, [call]);
    }
  });

  it("make no call for a summary after the log-in's reads", async () => {
    const { openstack, calls } = cloudWith(2);
    await Promise.all([...known].map((list) => list.read(sources(openstack))));
    calls.splice(0);

    const summary = await dashboardSummary.load(sources(openstack));

    assert.deepEqual(calls, []);
    assert.equal(summary.instances?.total, 2);
  });

  it('return the same from the cache as from the cloud', async () => {
    const { openstack, calls } = cloudWith(2);
    const fromCloud = await instanceList.load(sources(openstack));
    const first = await instanceList.read(sources(openstack));
    calls.splice(0);
    const second = await instanceList.read(sources(openstack));
    assert.deepEqual([first, second], [fromCloud, fromCloud]);
    assert.deepEqual(calls, []);
  });

  it('are incomplete if their source is, even from the cache', async () => {
    const { openstack } = cloudWith(1);
    const images = {
      list: () => Promise.reject(new GatewayError(503, 'upstream_unavailable', 'Unavailable.')),
    };
    const without = new Proxy(openstack, {
      get: (services, name) => (name === 'image' ? { images } : Reflect.get(services, name)),
    });
    for (let read = 0; read < 2; read += 1) {
      const dashboard = await userDashboard.load(sources(without));
      const { isComplete, rowsInTransition } = userDashboard.keeping(lifetimes);
      assert.equal(isComplete(dashboard), false);
      assert.deepEqual(rowsInTransition(dashboard), [{ id: '', state: 'incomplete', changedAt: null }]);
    }
    assert.notEqual(await cachedBody(cache, instanceList.keyFor(sources(without).reader)), null);
    const complete = await userDashboard.load(sources(openstack, { projectId: 'p2' }));
    const { isComplete, rowsInTransition } = userDashboard.keeping(lifetimes);
    assert.deepEqual([isComplete(complete), rowsInTransition(complete)], [true, null]);
  });

  it('never return the list of another project', async () => {
    const { openstack, calls } = cloudWith(1);
    await imageLists.project.read(sources(openstack, { projectId: 'p1' }));
    await imageLists.project.read(sources(openstack, { projectId: 'p2' }));
    assert.equal(calls.length, 2);
  });

  it('vary by, and depend on, everything that lists within them do', async () => {
    const rank = { nothing: 0, project: 1, roles: 2, user: 3 };
    for (const outer of cachedLists) {
      const within: CacheKey[] = [];
      const { openstack } = cloudWith(1);
      const watched = Object.create(cache, {
        getOrLoad: {
          value: (key: CacheKey, options: LoadOptions) => {
            within.push(key);
            return cache.getOrLoad(key, options);
          },
        },
      }) as ListCache;
      await outer.load({ ...sources(openstack), cache: watched });
      const names = new Set(cachedLists.map(({ name }) => name));
      assert.deepEqual(
        within.map(({ list }) => list).filter((list) => !names.has(list)),
        [],
        `${outer.name} reads what no write drops`,
      );
      for (const inner of cachedLists.filter(({ name }) => within.some(({ list }) => list === name))) {
        const reads = `${outer.name} reads ${inner.name}`;
        assert.ok(rank[outer.varyBy] >= rank[inner.varyBy], reads);
        assert.ok(new Set(outer.dependsOn).isSupersetOf(new Set(inner.dependsOn)), reads);
      }
    }
  });

  const dropped: [ResourceName[], string[]][] = [
    [['instance'], ['computeLimits', 'instances']],
    [['volume'], ['storageLimits']],
    [
      ['instance', 'volume', 'port'],
      ['computeLimits', 'instances', 'storageLimits'],
    ],
    [['flavor'], ['flavors', 'instances']],
    [['image'], ['images', 'instances']],
    [['keypair'], []],
  ];
  for (const [changed, expected] of dropped) {
    it(`of this project are dropped by writes of ${changed.join(', ')}`, async () => {
      const { openstack } = cloudWith(1);
      const own = sources(openstack);
      const other = sources(openstack, { projectId: 'p2' });
      const missing = async ({ reader }: ListSources) => {
        const lists = [];
        for (const list of known) {
          if ((await cachedBody(cache, list.keyFor(reader))) === null) lists.push(list.name);
        }
        return lists.sort();
      };
      for (const list of known) await Promise.all([list.read(own), list.read(other)]);

      await dropLists(cache, own.reader.projectId, changed);

      assert.deepEqual(await missing(own), expected);
      assert.deepEqual(await missing(other), []);
    });
  }

  it('of all projects are dropped by writes in each', async () => {
    const own = sources(cloudWith(1).openstack);
    await gpuTypeList.read(own);
    assert.notEqual(await cachedBody(cache, gpuTypeList.keyFor(own.reader)), null);

    await dropLists(cache, 'p2', ['instance']);

    assert.equal(await cachedBody(cache, gpuTypeList.keyFor(own.reader)), null);
  });

  it('are dropped in several projects at once', async () => {
    const projectIds = ['p1', 'p2', 'p3'];
    const readers = projectIds.map((projectId) => sources(cloudWith(1).openstack, { projectId }));
    for (const reader of readers) await flavorList.read(reader);

    await dropLists(cache, ['p1', 'p3'], ['flavor']);

    const cached = readers.map(
      async ({ reader }) => (await cachedBody(cache, flavorList.keyFor(reader))) !== null,
    );
    assert.deepEqual(await Promise.all(cached), [false, true, false]);
  });

  it('never return the list of another reader if they depend on roles', async () => {
    const private_ = { ...images[0], id: 'private', visibility: 'private' } as ImageRecord;
    const member = cloudWith(1).openstack;
    const admin = {
      ...member,
      image: { images: { list: async () => [...images, private_] } },
    } as BoundClient;
    for (const order of [
      ['member', 'admin'],
      ['admin', 'member'],
    ]) {
      await cache.drop({ list: 'images', projectId: 'p1' });
      for (const role of [...order, ...order]) {
        const openstack = role === 'admin' ? admin : member;
        const rows = await imageLists.project.read(sources(openstack, { roles: [role] }));
        assert.equal(
          rows.some(({ id }) => id === 'private'),
          role === 'admin',
          `${role} of ${order.join(', ')}`,
        );
      }
    }
  });

  it('are kept briefly while a row is in transition', () => {
    const { ttlSeconds } = imageLists.project.keeping(lifetimes);
    assert.deepEqual([ttlSeconds([], false), ttlSeconds([], true)], [300, 1]);
    assert.equal(imageLists.project.keeping({ ...lifetimes, imagesSeconds: 0 }).ttlSeconds([], true), 0);
  });

  it('count routers for monitoring as active only while they are switched on', async () => {
    const states = [
      { status: 'ACTIVE', admin_state_up: true },
      { status: 'ACTIVE', admin_state_up: false },
      { status: 'ERROR', admin_state_up: true },
    ];
    const listFields = async <Row>(fields: string[], present: (router: RouterRecord) => Row) => {
      assert.ok(fields.includes('admin_state_up'));
      return states.map((router) => present(router as RouterRecord));
    };
    const openstack = withEmptyRest({ network: { routers: { listFields } } }) as BoundClient;

    const { network } = await monitoringSummary.read(sources(openstack));

    assert.deepEqual([network?.router_count, network?.router_active], [3, 1]);
  });

  it('fail as the cloud fails, and store no failure', async () => {
    const { openstack } = cloudWith(1);
    const broken = { ...openstack, image: { images: { list: () => Promise.reject(new Error('no')) } } };
    await assert.rejects(instanceList.read(sources(broken as unknown as BoundClient)), /no/);
    assert.equal((await instanceList.read(sources(openstack))).length, 1);
  });
});
