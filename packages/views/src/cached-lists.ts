import {
  type CachedListName,
  cacheKeyFor,
  type ListCache,
  type ListDependence,
  type ListReader,
} from '@gateway/cache';
import type { CacheConfig } from '@gateway/config';
import { GatewayError } from '@gateway/core';
import type { BoundClient } from '@gateway/openstack';
import { type Flavor, presentFlavor } from './flavors.ts';
import { type Image, isImageInTransition, presentImage } from './images.ts';
import { type Instance, isInstanceInTransition, presentInstance, surroundingsOf } from './instances.ts';

/** A list that is kept for a while. `load` makes a number of upstream calls that does not depend on the rows. */
export interface CachedList<T> {
  list: CachedListName;
  /** What the answer depends on beside the project: also through the lists that it reads in its turn. */
  dependsOn: ListDependence;
  ttlSeconds(cache: CacheConfig): number;
  /** True while something in the answer is about to change by itself: it is then kept for a moment only. */
  isInTransition(answer: T): boolean;
  load(sources: ListSources): Promise<T>;
}

export interface ListSources {
  openstack: BoundClient;
  /** On whose behalf `openstack` reads. */
  reader: ListReader;
  cache: ListCache;
  lifetimes: CacheConfig;
}

/** The image service shows administrators the private images of all projects. */
const images: CachedList<Image[]> = {
  list: 'images',
  dependsOn: 'roles',
  ttlSeconds: ({ imagesSeconds }) => imagesSeconds,
  isInTransition: (rows) => rows.some(isImageInTransition),
  load: async ({ openstack }) => (await openstack.image.images.list()).map(presentImage),
};

/** The compute service shows administrators flavors that are disabled. */
const flavors: CachedList<Flavor[]> = {
  list: 'flavors',
  dependsOn: 'roles',
  ttlSeconds: ({ flavorsSeconds }) => flavorsSeconds,
  isInTransition: () => false,
  load: async ({ openstack }) => (await openstack.compute.flavors.list()).map(presentFlavor),
};

/** Two upstream calls, and two more when images and flavors are not cached: it tells their names and ids. */
const instances: CachedList<Instance[]> = {
  list: 'instances',
  dependsOn: 'roles',
  ttlSeconds: ({ instancesSeconds }) => instancesSeconds,
  isInTransition: (rows) => rows.some(isInstanceInTransition),
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
};

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
  dependsOn: 'project',
  ttlSeconds: ({ limitsSeconds }) => limitsSeconds,
  isInTransition: () => false,
  load: ({ openstack }) => openstack.compute.limits.get(),
} satisfies CachedList<unknown>;

const storageLimits = {
  list: 'storageLimits',
  dependsOn: 'project',
  ttlSeconds: ({ limitsSeconds }) => limitsSeconds,
  isInTransition: () => false,
  load: ({ openstack }) => openstack.blockStorage.limits.get(),
} satisfies CachedList<unknown>;

export const cachedLists = { images, flavors, instances, computeLimits, storageLimits };

/** How long an answer is kept. */
export function lifetimeOf<T>(list: CachedList<T>, lifetimes: CacheConfig, answer: T): number {
  const seconds = list.ttlSeconds(lifetimes);
  return list.isInTransition(answer) ? Math.min(seconds, lifetimes.transitionSeconds) : seconds;
}

/** Reads a list through the cache; what comes is what a client would get. */
export async function readList<T>(list: CachedList<T>, sources: ListSources): Promise<T> {
  const { cache, lifetimes, reader } = sources;
  const { body } = await cache.readThrough(cacheKeyFor(list, reader), {
    ttlSeconds: (answer) => lifetimeOf(list, lifetimes, answer as T),
    load: () => list.load(sources),
  });
  return JSON.parse(body.toString()) as T;
}
