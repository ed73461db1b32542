import type { JobLeftover, ResourceOwners } from '@gateway/jobs';
import type { BoundClient } from '@gateway/openstack';
import type { Config } from '@gateway/platform';
import type { JudgeOptions, Owners } from './judge.ts';

/** The sources for deciding whether a marked resource is a leftover. */
export interface LeftoverSources {
  /** With the rights of an administrator. */
  openstack: BoundClient;
  config: { jobs: Pick<Config['jobs'], 'keepSeconds' | 'lateCallSeconds'> };
  owners: OwnerReaders;
}

/** Reads the gateway's own records. */
export interface OwnerReaders {
  ofJobs(jobIds: Iterable<string>): Promise<ResourceOwners>;
  ofClusters(clusterIds: Iterable<string>): Promise<{
    clusters: Owners['clusters'];
    creationJobIds: ReadonlySet<string>;
  }>;
  leftovers(): Promise<JobLeftover[]>;
}

export function judgeOptions({ config }: Pick<LeftoverSources, 'config'>): JudgeOptions {
  const { keepSeconds, lateCallSeconds } = config.jobs;
  return { now: Date.now(), keepSeconds, lateCallSeconds };
}
