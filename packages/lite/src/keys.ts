/**
 * Keys of lite clusters. The braces put all of them into one slot of a Redis Cluster, because scripts change
 * several at once. Each key names the kind of its id.
 */
export const liteClusterKeys = {
  /** A hash: one cluster. */
  record: (id: string) => `{lite}:cluster:${id}`,
  /** A set: the ids of all clusters that are not DELETED. */
  open: '{lite}:open',
  /** A set: the ids of all DELETED clusters whose resources may still exist. */
  removing: '{lite}:removing',
  /** A sorted set by the end of their removal: the ids of all other DELETED clusters. */
  removed: '{lite}:removed',
  /** A hash of a project: the ids of its clusters that are not DELETED, by the names of their nodes. */
  names: (projectId: string) => `{lite}:names:${projectId}`,
  /** A sorted set by time of creation: the clusters of a project, including DELETED ones. */
  ofProject: (projectId: string) => `{lite}:of:${projectId}`,
};
