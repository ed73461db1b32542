/**
 * Keys of auto backups. The braces put all of them into one slot of a Redis Cluster, because scripts change
 * several at once. An id comes last, after a word of its own.
 */
export const autoBackupKeys = {
  /** A hash: one configuration. */
  record: (id: string) => `{auto-backup}:configuration:${id}`,
  /** A set: the ids of all configurations. */
  all: '{auto-backup}:all',
  /** A set: the ids of the configurations whose last run failed. */
  failed: '{auto-backup}:failed',
  /** A sorted set: the ids of the configurations with a run that was due, by when it was started. */
  running: '{auto-backup}:running',
  /** A sorted set: the ids of the configurations that wait for a place in it, by since when. */
  waiting: '{auto-backup}:waiting',
  /** A hash of a project: its configurations' ids by volume. */
  ofProject: (projectId: string) => `{auto-backup}:of:${projectId}`,
  /**
   * A hash: the projects whose volumes must be checked, because some may have been deleted. Each request has
   * its own value.
   */
  volumeChecks: '{auto-backup}:volume-checks',
  /** A hash: delegations that are being created, see `DelegationIntent`. */
  intents: '{auto-backup}:intents',
  /** A hash: delegations that are no longer used, and must be revoked. */
  retired: '{auto-backup}:retired',
};
