import { requireState } from '../../../saga/index.ts';
import { recordAgents } from '../../lite-clusters/record-agents.ts';
import { defineRepairStep } from '../saga.ts';

/**
 * Puts the new agent in the place of the old one, with one write. From here on the repair is not rolled back:
 * what remains of the old agent is removed.
 */
export const recordRepair = defineRepairStep({
  name: 'record',
  commits: true,
  onRepeat: 'idempotent',
  async run(context) {
    await recordAgents(context, [requireState(context, 'replaced').number]);
    return {};
  },
});
