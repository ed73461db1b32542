import assert from 'node:assert/strict';
import { NewerFormError } from '@gateway/core';
import { createLogger } from '@gateway/platform';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { keepAutoBackups } from '../../../apps/worker/src/maintenance/keep-auto-backups.ts';
import { captureLogLines } from '../../support/api/log-lines.ts';
import { eventually } from '../../support/eventually.ts';

describe('the task that keeps auto backups', () => {
  it('continues after a run whose record cannot be read', async () => {
    const lines = captureLogLines();
    const done: string[] = [];
    const worker = {
      autoBackups: {
        store: {
          allIds: async () => [],
          waitingIds: async () => [],
          runningSince: async () => ['odd', 'over'],
          leavePlace: async (id: string) => void done.push(`left the place of ${id}`),
          async requestedVolumeChecks() {
            done.push('checked volumes');
            return [];
          },
        },
        entries: { reconcile: async () => [] },
      },
      redis: {
        store: {
          async get(key: string) {
            if (key.includes('odd')) throw new NewerFormError('job');
            return null;
          },
        },
      },
      serviceAccount: { isConfigured: false },
      logger: createLogger({ level: 'debug', format: 'json', service: 'worker' }, lines.stream),
      stopping: new AbortController(),
    } as unknown as WorkerContext;

    await keepAutoBackups(worker);

    assert.deepEqual(done, ['left the place of over', 'checked volumes']);
    await eventually(async () => lines.text().includes('"configuration_id":"odd"'));
  });
});
