import { recordAgents } from '../../lite-clusters/record-agents.ts';
import { defineScaleStep } from '../saga.ts';

/** Makes the new agents part of the cluster. From here on the scaling is not rolled back. */
export const recordScaling = defineScaleStep({
  name: 'record',
  commits: true,
  onRepeat: 'idempotent',
  async run(context) {
    await recordAgents(context);
    return {};
  },
});
