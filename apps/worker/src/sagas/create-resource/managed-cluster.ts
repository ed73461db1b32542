import { JOB_METADATA_KEY } from '@gateway/core';
import type { ManagedClusterCreation } from '@gateway/jobs';
import type { ClusterCreate } from '@gateway/openstack';
import { managedClusterStep } from './managed-cluster-step.ts';
import { type CreationStep, planStep } from './saga.ts';

/** The service checks the template, the key pair and the quota itself, at once. */
export const createManagedClusterSteps: readonly CreationStep<ManagedClusterCreation, ClusterCreate>[] = [
  planStep(async ({ input: { keyPair, masterCount, name, nodeCount, templateId }, jobId }) => ({
    name,
    cluster_template_id: templateId,
    node_count: nodeCount,
    master_count: masterCount,
    ...(keyPair !== null && { keypair: keyPair }),
    labels: { [JOB_METADATA_KEY]: jobId },
    merge_labels: true,
  })),
  managedClusterStep,
];
