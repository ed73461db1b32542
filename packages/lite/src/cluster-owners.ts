import { isId } from '@gateway/core';
import { readAllLeftovers, readResourceOwners } from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import type { LiteCluster } from './cluster.ts';
import type { LiteClusterStore } from './store.ts';

/**
 * `removing`: deleted, and the gateway is still removing its resources. `gone`: none of its
 * resources should exist.
 */
type LiteClusterPresence = 'present' | 'removing' | 'gone';

/** The lite clusters and jobs that own resources of the cloud. */
interface LiteClusterOwners {
  /** Those of the requested clusters that are known. */
  clusters: ReadonlyMap<string, LiteClusterPresence>;
  /** The jobs that created clusters which are not `gone`. */
  creationJobIds: ReadonlySet<string>;
}

const BATCH_SIZE = 500;

/**
 * @param clusterIds from marks, which may contain any text
 */
export async function readLiteClusterOwners(
  store: LiteClusterStore,
  clusterIds: Iterable<string>,
): Promise<LiteClusterOwners> {
  const [open, removing] = await Promise.all([store.openIds(), store.removingIds()]);
  const ids = [...new Set([...open, ...removing, ...clusterIds])].filter(isId);
  const found: LiteCluster[] = [];
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const records = await Promise.all(ids.slice(start, start + BATCH_SIZE).map((id) => store.read(id)));
    found.push(...records.filter((cluster) => cluster !== null));
  }
  // Reads these again, because a cluster may have been deleted in between.
  const stillRemoving = new Set(await store.removingIds());
  const clusters = new Map(
    found.map(({ id, status }): [string, LiteClusterPresence] => {
      if (status !== 'DELETED') return [id, 'present'];
      return [id, stillRemoving.has(id) ? 'removing' : 'gone'];
    }),
  );
  const existing = found.filter(({ id }) => clusters.get(id) !== 'gone');
  return { clusters, creationJobIds: new Set(existing.map(({ creationJobId }) => creationJobId)) };
}

/** Readers for the jobs and lite clusters that own resources of the cloud. */
export function ownerReaders(redis: Redis, clusters: LiteClusterStore) {
  return {
    ofJobs: (jobIds: Iterable<string>) => readResourceOwners(redis, jobIds),
    ofClusters: (clusterIds: Iterable<string>) => readLiteClusterOwners(clusters, clusterIds),
    leftovers: () => readAllLeftovers(redis),
  };
}
