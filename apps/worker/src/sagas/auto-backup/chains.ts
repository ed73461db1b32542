import type { BackupRecord } from '@gateway/openstack';

/** A full backup and the incremental ones that build on it, oldest first. */
export type Chain = readonly BackupRecord[];

interface ChainRules {
  isOwn(backup: BackupRecord): boolean;
  /** The length of a complete chain. */
  fullEvery: number;
  volumeSizeGb: number;
}

/** The states of a backup whose deletion has failed. */
const BROKEN_STATES = ['error', 'error_deleting'];

export function isBroken({ status }: BackupRecord): boolean {
  return BROKEN_STATES.includes(status);
}

/**
 * Groups the backups of a configuration. The service does not say on which backup another one builds: it
 * takes the latest one of the volume. Runs build only on backups of their own configuration
 * (`canContinueChain`), so that this is the one before. A backup counts as incremental unless the service
 * says that it is not: what it may build on is kept.
 *
 * @param latestId the backup known to be the latest. The clocks of the service's hosts differ, so that it may
 * look older than others.
 */
export function chainsOf(own: readonly BackupRecord[], latestId?: string): Chain[] {
  const chains: BackupRecord[][] = [];
  const latestLast = (a: BackupRecord, b: BackupRecord) =>
    Number(a.id === latestId) - Number(b.id === latestId);
  for (const backup of own.toSorted((a, b) => latestLast(a, b) || oldestFirst(a, b))) {
    const current = chains.at(-1);
    if (backup.is_incremental !== false && current !== undefined) current.push(backup);
    else chains.push([backup]);
  }
  return chains;
}

/**
 * Whether the next backup can be incremental. Otherwise it is full: the chain is complete, or the service
 * would build on a backup that is not available, that somebody else may delete, or that is smaller than the
 * volume.
 *
 * @param backups all backups of the volume in the project
 */
export function canContinueChain(
  backups: readonly BackupRecord[],
  { isOwn, fullEvery, volumeSizeGb }: ChainRules,
): boolean {
  // Without all sizes and times it is not known what the service would build on.
  if (volumeSizeGb === 0 || backups.some(({ data_timestamp }) => data_timestamp === '')) return false;
  const latestTime = backups
    .map((backup) => backup.data_timestamp)
    .sort()
    .at(-1);
  // Several may be of the same second.
  const latest = backups.filter((backup) => backup.data_timestamp === latestTime);
  const canBuildOn = (backup: BackupRecord) =>
    isOwn(backup) && backup.status === 'available' && backup.size >= volumeSizeGb;
  const current = chainsOf(backups.filter(isOwn)).at(-1);
  return current !== undefined && latest.every(canBuildOn) && current.length < fullEvery;
}

/** The newest chains that have at least this many available backups together, and the older ones. */
export function splitChains(
  chains: readonly Chain[],
  retention: number,
): { kept: readonly Chain[]; surplus: readonly Chain[] } {
  let first = chains.length;
  for (let count = 0; first > 0 && count < retention; first -= 1) {
    count += (chains[first - 1] ?? []).filter(({ status }) => status === 'available').length;
  }
  return { kept: chains.slice(first), surplus: chains.slice(0, first) };
}

/** The service returns times in seconds: the due time in the name orders backups of the same second. */
function oldestFirst(a: BackupRecord, b: BackupRecord): number {
  return a.created_at.localeCompare(b.created_at) || dueIn(a).localeCompare(dueIn(b));
}

function dueIn({ name }: BackupRecord): string {
  return name.split('-').slice(1).at(-1) ?? '';
}
