import assert from 'node:assert/strict';
import { DUE_ENTRY } from '@gateway/auto-backup';
import { type QueuedJob, type StoreHold, scheduledTaskNames } from '@gateway/jobs';
import type { Job } from 'bullmq';
import type { WorkerContext } from '../../../apps/worker/src/context.ts';
import { handleJob } from '../../../apps/worker/src/queues/handle-job.ts';

const HOLD: StoreHold = { cause: 'unused', usedAt: 1, heldAt: 2 };

describe('the entries of the gateway itself', () => {
  for (const name of [...scheduledTaskNames, DUE_ENTRY]) {
    it(`do nothing while the store is held: ${name}`, async () => {
      const touched: PropertyKey[] = [];
      const storeUse = { renew: async () => HOLD };
      const worker = new Proxy({ storeUse } as unknown as WorkerContext, {
        get(context, part) {
          if (part === 'storeUse') return context.storeUse;
          touched.push(part);
          return undefined;
        },
      });

      await handleJob(worker, { name, id: 'x', data: {} } as unknown as Job<QueuedJob>, undefined);

      assert.deepEqual(touched, []);
    });
  }
});
