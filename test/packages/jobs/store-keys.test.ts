import assert from 'node:assert/strict';
import { webhookKeys } from '@gateway/webhooks';
import { autoBackupKeys } from '../../../packages/auto-backup/src/keys.ts';
import { gpuKeys } from '../../../packages/inventory/src/gpu/keys.ts';
import { jobKeys } from '../../../packages/jobs/src/keys.ts';
import { liteClusterKeys } from '../../../packages/lite/src/keys.ts';

type Keys = Record<string, string | ((...parts: string[]) => string)>;

/** Keys that end with the name of a queue, which is one of the gateway's own. */
const OF_QUEUES = ['waitingProjects', 'waitingSince', 'running', 'lastServed', 'slots', 'failed'];

/** Some ids come from paths of requests, so callers choose them. */
describe('the keys of stored records', () => {
  // Keys of jobs and GPUs share a prefix.
  const inSlotOfJobs = { ...jobKeys, ...gpuKeys };
  for (const [name, keys] of Object.entries({ autoBackupKeys, inSlotOfJobs, liteClusterKeys, webhookKeys })) {
    it(`have ids with which no key becomes another one: ${name}`, () => {
      const beginnings = Object.entries(keys as unknown as Keys).map(([key, make]) => {
        if (typeof make === 'string') return { key, text: make, isComplete: true };
        const isComplete = OF_QUEUES.includes(key);
        const parts = isComplete ? ['queue'] : key === 'waiting' ? ['queue', ''] : [''];
        return { key, text: make(...parts), isComplete };
      });
      for (const { key, text, isComplete } of beginnings) {
        for (const other of beginnings) {
          if (other.key === key) continue;
          const collides = isComplete ? other.text === text : other.text.startsWith(text);
          assert.ok(!collides, `an id of ${key} makes ${other.key}`);
        }
      }
    });
  }
});
