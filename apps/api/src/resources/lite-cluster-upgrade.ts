import { type JobPayload, type JobRecord, readExclusiveJob, readQueued } from '@gateway/jobs';
import { type LiteCluster, liteClusterSubject } from '@gateway/lite';
import type { AppContext } from '../context.ts';

/** The upgrade of a cluster that is in progress, or that has stopped and can be continued. */
export interface LiteClusterUpgrade {
  version: string;
  status: 'UPGRADING' | 'FAILED';
  /** In percent; null for one that has stopped. */
  progress: number | null;
  message: string | null;
  job_id: string | null;
}

interface UpgradedCluster {
  cluster: LiteCluster;
  /** Null without one. */
  upgrade: LiteClusterUpgrade | null;
}

type Stores = Pick<AppContext, 'liteClusters' | 'redis'>;

/**
 * A cluster with its upgrade. The job may have ended since the record was read, so the record is read again
 * before an upgrade counts as stopped.
 */
export async function readLiteClusterUpgrade(app: Stores, cluster: LiteCluster): Promise<UpgradedCluster> {
  if (cluster.status !== 'ACTIVE') return { cluster, upgrade: null };
  const running = await readRunning(app, cluster);
  if (running !== null || !cluster.upgrade) return { cluster, upgrade: running };
  const current = (await app.liteClusters.read(cluster.id)) ?? cluster;
  if (current.status !== 'ACTIVE' || !current.upgrade) return { cluster: current, upgrade: null };
  return { cluster: current, upgrade: (await readRunning(app, current)) ?? stopped(current) };
}

async function readRunning({ redis }: Stores, { id }: LiteCluster): Promise<LiteClusterUpgrade | null> {
  const job = await readExclusiveJob(redis.store, liteClusterSubject(id));
  if (job?.type !== 'lite.upgrade') return null;
  const queued = await readQueued(redis.store, job.id);
  return queued === null ? null : inProgress(job, queued.payload as JobPayload<'lite.upgrade'>);
}

function inProgress(
  { id, message, progress }: JobRecord,
  { version }: JobPayload<'lite.upgrade'>,
): LiteClusterUpgrade {
  return { version, status: 'UPGRADING', progress, message, job_id: id };
}

function stopped({ statusReason, upgrade }: LiteCluster): LiteClusterUpgrade | null {
  if (!upgrade) return null;
  return { version: upgrade.version, status: 'FAILED', progress: null, message: statusReason, job_id: null };
}
