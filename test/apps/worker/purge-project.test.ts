import assert from 'node:assert/strict';
import { purgeProjectSteps } from '../../../apps/worker/src/sagas/purge-project/index.ts';
import type { PurgeStepContext } from '../../../apps/worker/src/sagas/purge-project/saga.ts';

describe('the purge of a project', () => {
  it("ends with the project, and then with the gateway's records of it", async () => {
    const done: string[] = [];
    const context = {
      input: { purgedProjectId: 'p1' },
      owner: () => ({ identity: { projects: { remove: async (id: string) => done.push(`removed ${id}`) } } }),
      forgetProject: async () => void done.push('forgotten'),
    } as unknown as PurgeStepContext;

    const last = purgeProjectSteps.at(-1);
    const state = await last?.run(context);

    assert.deepEqual([state, done], [{ isGone: true }, ['removed p1', 'forgotten']]);
  });
});
