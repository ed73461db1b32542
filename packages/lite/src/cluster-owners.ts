import { isId } from '@gateway/core';
import { readAllLeftovers, readResourceOwners } from '@gateway/jobs';
import type { Redis } from '@gateway/redis';
import type { LiteCluster } from './cluster.ts';
import type { LiteClusterStore } from './store.ts';

/** `removing`: deleted, and the gateway still removes what it consisted of. `gone`: nothing of it should exist. */
type LiteClusterPresence = 'present' | 'removing' | 'gone';

/** Which lite clusters have to do with the resources of the cloud. */
interface LiteClusterOwners {
  /** Those of the asked clusters that are known. */
  clusters: ReadonlyMap<string, LiteClusterPresence>;
  /** The jobs that have created the clusters which are not gone. */
  creationJobIds: ReadonlySet<string>;
}

const BATCH_SIZE = 500;

/** @param clusterIds from marks, so anything may be among them */
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
  // Read again: a cluster that was deleted meanwhile is there by now.
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

/** Reads which jobs and lite clusters have to do with the resources of the cloud. */
export function ownerReaders(redis: Redis, clusters: LiteClusterStore) {
  return {
    ofJobs: (jobIds: Iterable<string>) => readResourceOwners(redis, jobIds),
    ofClusters: (clusterIds: Iterable<string>) => readLiteClusterOwners(clusters, clusterIds),
    leftovers: () => readAllLeftovers(redis),
  };
}
