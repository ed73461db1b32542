import { notFound } from '@gateway/core';
import type { ShareSnapshotRecord } from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';

/** @throws 404 also for a snapshot of another project, which the service shows to administrators */
export async function getOwnShareSnapshot(
  { caller, openstack }: Pick<RequestContext, 'caller' | 'openstack'>,
  id: string,
): Promise<ShareSnapshotRecord> {
  const snapshot = await openstack.sharedFileSystem.snapshots.get(id);
  if (snapshot.project_id === caller.identity.projectId) return snapshot;
  throw notFound('There is no such snapshot in this project.');
}
