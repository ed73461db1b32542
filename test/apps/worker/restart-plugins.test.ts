import assert from 'node:assert/strict';
import { KubernetesError } from '@gateway/lite';
import { ParkedError } from '../../../apps/worker/src/saga/index.ts';
import { restartPlugins } from '../../../apps/worker/src/sagas/replace-lite-credential/steps/restart-plugins.ts';

type Context = Parameters<NonNullable<typeof restartPlugins.settle>>[0];

const READY_SECONDS = 900;

describe('the restart of programs with a new credential', () => {
  /** Settles the step this long after its beginning, while the API server fails. */
  async function settle(seconds: number): Promise<void> {
    const refusal = { kind: 'status', isConnected: true, upstreamStatus: 500, reason: '500' } as const;
    const fail = async () => {
      throw new KubernetesError(refusal);
    };
    const context = {
      config: {
        jobs: { pollIntervalMs: 1 },
        lite: { health: { requestSeconds: 5 } },
        timeLimits: { liteReadySeconds: READY_SECONDS },
      },
      kubernetes: async () => ({ annotatePods: fail, listWorkloads: fail, close: () => {} }),
      liteClusters: { read: async () => ({ plugins: ['cloud_controller'], status: 'ACTIVE' }) },
      logger: { info: () => {} },
      since: Date.now() - seconds * 1000,
      state: { credentialId: 'next' },
    };
    await restartPlugins.settle?.(context as unknown as Context, {}, async () => {});
  }

  it('outlasts failures of the API server until its time limit', async () => {
    await assert.rejects(settle(READY_SECONDS - 60), ParkedError);
    await assert.rejects(settle(READY_SECONDS + 1), KubernetesError);
  });
});
