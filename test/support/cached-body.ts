import type { CachedBody, CacheKey, ListCache } from '@gateway/cache';

const notCached = new Error('The list is not cached.');

/** The list that a reader gets without a load; null if the reader would have to load it. */
export async function cachedBody(cache: ListCache, key: CacheKey): Promise<CachedBody | null> {
  try {
    return await cache.getOrLoad(key, { ttlSeconds: () => 0, load: () => Promise.reject(notCached) });
  } catch (error) {
    if (error === notCached) return null;
    throw error;
  }
}
