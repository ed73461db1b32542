import { conflict } from '@gateway/core';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { defineUpgradeStep } from '../saga.ts';

/** Makes the release that of the cluster, and so that of future agents. */
export const recordUpgrade = defineUpgradeStep<{ isRecorded: boolean }>({
  name: 'record',
  commits: true,
  onRepeat: 'idempotent',
  async run(context) {
    const cluster = await requireLiteCluster(context);
    const change = { k3sVersion: context.input.version, upgrade: null };
    const isRecorded = await context.liteClusters.update(cluster, change, ['ACTIVE']);
    if (!isRecorded) throw conflict('wrong_state', 'The cluster is being deleted.');
    return { isRecorded };
  },
});
