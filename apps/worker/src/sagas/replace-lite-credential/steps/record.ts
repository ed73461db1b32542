import { conflict } from '@gateway/core';
import { requireState } from '../../../saga/index.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { defineReplacementStep } from '../saga.ts';

/** Makes the new credential that of the cluster. From here on the replacement is not rolled back. */
export const recordReplacement = defineReplacementStep({
  name: 'record',
  commits: true,
  onRepeat: 'idempotent',
  async run(context) {
    const cluster = await requireLiteCluster(context);
    const credential = { id: requireState(context, 'credentialId'), userId: context.input.userId };
    const isRecorded = await context.liteClusters.adoptCredential(cluster, credential);
    if (!isRecorded) throw conflict('wrong_state', 'The cluster is being deleted.');
    return {};
  },
});
