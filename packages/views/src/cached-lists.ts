import type { CachedListName, ListCache } from '@gateway/cache';
import type { CacheConfig } from '@gateway/config';
import { GatewayError } from '@gateway/core';
import type { BoundClient } from '@gateway/openstack';
import { type Flavor, presentFlavor } from './flavors.ts';
import { type Image, presentImage } from './images.ts';
import { presentInstance, surroundingsOf } from './instances.ts';

/**
 * A list that is kept for a while. `load` makes a number of upstream calls that does not depend on the rows;
 * what it gives depends on the project alone.
 */
export interface CachedList<T> {
  list: CachedListName;
  ttlSeconds(cache: CacheConfig): number;
  load(sources: ListSources): Promise<T>;
}

export interface ListSources {
  openstack: BoundClient;
  projectId: string;
  cache: ListCache;
  lifetimes: CacheConfig;
}

const images: CachedList<Image[]> = {
  list: 'images',
  ttlSeconds: ({ imagesSeconds }) => imagesSeconds,
  load: async ({ openstack }) => (await openstack.image.images.list()).map(presentImage),
};

const flavors: CachedList<Flavor[]> = {
  list: 'flavors',
  ttlSeconds: ({ flavorsSeconds }) => flavorsSeconds,
  load: async ({ openstack }) => (await openstack.compute.flavors.list()).map(presentFlavor),
};

/** Two upstream calls, and two more when images and flavors are not cached. */
const instances = {
  list: 'instances',
  ttlSeconds: ({ instancesSeconds }) => instancesSeconds,
  async load(sources) {
    const { openstack } = sources;
    const [servers, volumes, knownFlavors, knownImages] = await Promise.all([
      openstack.compute.servers.list(),
      unlessAway(openstack.blockStorage.volumes.list()),
      readList(flavors, sources),
      unlessAway(readList(images, sources)),
    ]);
    const surroundings = surroundingsOf(knownFlavors, knownImages, volumes);
    return servers.map((server) => presentInstance(server, surroundings));
  },
} satisfies CachedList<unknown>;

/** Images and volumes only tell the image's name: without their services it is null, and the servers are told. */
async function unlessAway<T>(read: Promise<T[]>): Promise<T[]> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof GatewayError && error.status >= 500) return [];
    throw error;
  }
}

const computeLimits = {
  list: 'computeLimits',
  ttlSeconds: ({ limitsSeconds }) => limitsSeconds,
  load: ({ openstack }) => openstack.compute.limits.get(),
} satisfies CachedList<unknown>;

const storageLimits = {
  list: 'storageLimits',
  ttlSeconds: ({ limitsSeconds }) => limitsSeconds,
  load: ({ openstack }) => openstack.blockStorage.limits.get(),
} satisfies CachedList<unknown>;

export const cachedLists = { images, flavors, instances, computeLimits, storageLimits };

/** Reads a list through the cache; what comes is what a client would get. */
export async function readList<T>(list: CachedList<T>, sources: ListSources): Promise<T> {
  const { body } = await sources.cache.readThrough(
    { list: list.list, projectId: sources.projectId },
    { ttlSeconds: list.ttlSeconds(sources.lifetimes), load: () => list.load(sources) },
  );
  return JSON.parse(body.toString()) as T;
}
