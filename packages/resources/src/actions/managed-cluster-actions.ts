import type { ClusterRecord } from '@gateway/openstack';
import type { ActionRule } from './rule.ts';

/** The actions on a managed cluster. The container infrastructure service deletes one in any state. */
export const managedClusterActions = {
  delete: {
    endpoint: 'DELETE /api/clusters/{cluster_id}',
    refusal: 'The cluster cannot be deleted',
    reasonAgainst: () => null,
  },
} satisfies Record<string, ActionRule<ClusterRecord>>;
