import { conflict } from '@gateway/core';
import { requireState } from '../../../saga/index.ts';
import { createdAgents } from '../../lite-clusters/agent-steps.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { defineCreateStep } from '../saga.ts';

/** Makes the cluster ACTIVE. From here on the creation is not rolled back: a deletion removes the cluster. */
export const activateCluster = defineCreateStep<{ isActive: boolean }>({
  name: 'activate',
  commits: true,
  onRepeat: 'idempotent',
  async run(context) {
    const cluster = await requireLiteCluster(context);
    const { credentialId, keyId = null } = context.state;
    const isActive = await context.liteClusters.update(
      cluster,
      {
        status: 'ACTIVE',
        agents: createdAgents(context.state),
        serverVmId: requireState(context, 'serverId'),
        keyId,
        credential: credentialId === undefined ? null : { id: credentialId, userId: cluster.userId },
      },
      ['CREATING', 'ACTIVE'],
    );
    if (!isActive) throw conflict('wrong_state', 'The cluster is being deleted.');
    return { isActive };
  },
});
