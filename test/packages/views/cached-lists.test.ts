import assert from 'node:assert/strict';
import {
  type CachedListName,
  type CacheKey,
  ListCache,
  type ListReader,
  type ReadThroughOptions,
} from '@gateway/cache';
import type { CacheConfig } from '@gateway/config';
import type { BoundClient, FlavorRecord, ImageRecord, ServerRecord, VolumeRecord } from '@gateway/openstack';
import { openRedis, type RedisConnections, waitUntilReady } from '@gateway/redis';
import { cachedLists, type ListSources, lifetimeOf, readList } from '@gateway/views';
import { freshKeyPrefix, testRedisUrl } from '../../support/redis.ts';
import { fixtureBody } from '../../support/upstream.ts';

const lifetimes: CacheConfig = {
  instancesSeconds: 15,
  volumesSeconds: 15,
  imagesSeconds: 300,
  flavorsSeconds: 300,
  limitsSeconds: 30,
  networksSeconds: 30,
  transitionSeconds: 1,
};

const [server] = fixtureBody<ServerRecord[]>('compute/servers', 'servers');
const [volume] = fixtureBody<VolumeRecord[]>('block-storage/volumes', 'volumes');
const flavors = fixtureBody<FlavorRecord[]>('compute/flavors', 'flavors');
const images = fixtureBody<ImageRecord[]>('image/images', 'images');

/** A cloud with this many servers and volumes, and the calls that came; any other call fails the test. */
function cloudWith(rows: number): { openstack: BoundClient; calls: string[] } {
  const calls: string[] = [];
  function answer<T>(call: string, records: T) {
    return async () => {
      calls.push(call);
      return records;
    };
  }
  const openstack = {
    compute: {
      servers: { list: answer('servers.list', Array(rows).fill(server)) },
      flavors: { list: answer('flavors.list', flavors) },
      limits: { get: answer('compute.limits', { maxTotalInstances: 10 }) },
    },
    blockStorage: {
      volumes: { list: answer('volumes.list', Array(rows).fill(volume)) },
      limits: { get: answer('storage.limits', { maxTotalVolumes: 10 }) },
    },
    image: { images: { list: answer('images.list', images) } },
  };
  return { openstack: openstack as unknown as BoundClient, calls };
}

describe('cachedLists', () => {
  let redis: RedisConnections;
  let cache: ListCache;

  beforeEach(async () => {
    const url = testRedisUrl();
    redis = openRedis({ url, cacheUrl: url, keyPrefix: freshKeyPrefix('views') }, 'fail-fast');
    await waitUntilReady(redis.cache, 5_000);
    cache = new ListCache(redis.cache);
  });

  afterEach(() => redis.close());

  function sources(openstack: BoundClient, reader: Partial<ListReader> = {}): ListSources {
    return {
      openstack,
      reader: { projectId: 'p1', userId: 'u1', roles: ['member'], ...reader },
      cache,
      lifetimes,
    };
  }

  it('stand under their own names, with their configured lifetimes', () => {
    const seconds: Partial<Record<CachedListName, number>> = {};
    for (const [name, list] of Object.entries(cachedLists)) {
      assert.equal(list.list, name);
      seconds[list.list] = list.ttlSeconds(lifetimes);
    }
    assert.deepEqual(seconds, {
      images: 300,
      flavors: 300,
      instances: 15,
      computeLimits: 30,
      storageLimits: 30,
    });
  });

  for (const rows of [0, 1, 500]) {
    it(`list ${rows} instances with four calls at first, and two while images and flavors are known`, async () => {
      const { openstack, calls } = cloudWith(rows);
      assert.equal((await cachedLists.instances.load(sources(openstack))).length, rows);
      assert.deepEqual(calls.splice(0).sort(), [
        'flavors.list',
        'images.list',
        'servers.list',
        'volumes.list',
      ]);
      await cachedLists.instances.load(sources(openstack));
      assert.deepEqual(calls.sort(), ['servers.list', 'volumes.list']);
    });
  }

  it('make one call for each other list', async () => {
    const expected = {
      images: 'images.list',
      flavors: 'flavors.list',
      computeLimits: 'compute.limits',
      storageLimits: 'storage.limits',
    } as const;
    for (const name of Object.keys(expected) as (keyof typeof expected)[]) {
      const { openstack, calls } = cloudWith(3);
      await cachedLists[name].load(sources(openstack));
      assert.deepEqual(calls, [expected[name]]);
    }
  });

  it('give from the cache what they give from the cloud', async () => {
    const { openstack, calls } = cloudWith(2);
    const fromCloud = await cachedLists.instances.load(sources(openstack));
    const first = await readList(cachedLists.instances, sources(openstack));
    calls.splice(0);
    const second = await readList(cachedLists.instances, sources(openstack));
    assert.deepEqual([first, second], [fromCloud, fromCloud]);
    assert.deepEqual(calls, []);
  });

  it('give no project what was read for another', async () => {
    const { openstack, calls } = cloudWith(1);
    await readList(cachedLists.images, sources(openstack, { projectId: 'p1' }));
    await readList(cachedLists.images, sources(openstack, { projectId: 'p2' }));
    assert.equal(calls.length, 2);
  });

  it('depend on all that the lists depend on which they read in their turn', async () => {
    const rank = { project: 0, roles: 1, user: 2 };
    for (const list of Object.values(cachedLists)) {
      const within: CacheKey[] = [];
      const { openstack } = cloudWith(1);
      const watched = Object.create(cache, {
        readThrough: {
          value: (key: CacheKey, options: ReadThroughOptions) => {
            within.push(key);
            return cache.readThrough(key, options);
          },
        },
      }) as ListCache;
      await list.load({ ...sources(openstack), cache: watched });
      for (const { list: name } of within) {
        const { dependsOn } = cachedLists[name];
        assert.ok(rank[list.dependsOn] >= rank[dependsOn], `${list.list} reads ${name}`);
      }
    }
  });

  it('give nobody what was read for another, where they depend on roles', async () => {
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
        const rows = await readList(cachedLists.images, sources(openstack, { roles: [role] }));
        assert.equal(
          rows.some(({ id }) => id === 'private'),
          role === 'admin',
          `${role} of ${order.join(', ')}`,
        );
      }
    }
  });

  it('are kept for a moment only while a row of them is changing its state', async () => {
    const [instance] = await cachedLists.instances.load(sources(cloudWith(1).openstack));
    const [image] = await cachedLists.images.load(sources(cloudWith(1).openstack));
    assert.ok(instance && image);
    const ofInstance = (differences: object) =>
      lifetimeOf(cachedLists.instances, lifetimes, [instance, { ...instance, ...differences }]);
    const ofImage = (status: string) =>
      lifetimeOf(cachedLists.images, lifetimes, [image, { ...image, status }]);
    const settled = { status: 'ACTIVE', task_state: null };
    assert.deepEqual(
      [
        settled,
        { ...settled, task_state: 'deleting' },
        { ...settled, status: 'BUILD' },
        { status: 'SHUTOFF' },
      ].map(ofInstance),
      [15, 1, 1, 15],
    );
    assert.deepEqual(['active', 'queued', 'saving', 'deactivated'].map(ofImage), [300, 1, 1, 300]);
    const briefly = { ...lifetimes, imagesSeconds: 0 };
    assert.equal(lifetimeOf(cachedLists.images, briefly, [{ ...image, status: 'saving' }]), 0);
  });

  it('fail as the cloud fails, and keep nothing of it', async () => {
    const { openstack } = cloudWith(1);
    const broken = { ...openstack, image: { images: { list: () => Promise.reject(new Error('no')) } } };
    await assert.rejects(readList(cachedLists.instances, sources(broken as unknown as BoundClient)), /no/);
    assert.equal((await readList(cachedLists.instances, sources(openstack))).length, 1);
  });
});
