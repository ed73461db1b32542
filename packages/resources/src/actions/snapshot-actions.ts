import type { SnapshotRecord } from '@gateway/openstack';
import { statusRule } from './status-rule.ts';

/** The actions on a snapshot of a volume. */
export const snapshotActions = {
  delete: statusRule<Pick<SnapshotRecord, 'status'>>({
    endpoint: 'DELETE /api/volume-snapshots/{snapshot_id}',
    refusal: 'The snapshot cannot be deleted',
    statuses: ['available', 'error'],
    needs: 'it has to be available or failed',
  }),
};
