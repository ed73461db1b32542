import { parseArgs } from 'node:util';
import { toTimestamp } from '@gateway/core';
import { releaseStoreHold } from '@gateway/jobs';
import { fail, withStore } from '../commands/with-store.ts';
import { restoreStore } from './restore-store.ts';

/**
 * Prepares a store that was restored from a copy. To be called after the restore and before api and worker
 * start, or while they hold the store, with their configuration:
 *   npm run restore -- --copied-at 2026-11-24T02:00:00Z
 * Of a store that is held although it is no copy, the jobs continue:
 *   npm run restore -- --continue
 * In a container: node apps/worker/src/restore/main.ts --copied-at ...
 */
const USAGE =
  'usage: npm run restore -- --copied-at <time of the copy, such as 2026-11-24T02:00:00Z> | --continue';

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { 'copied-at': { type: 'string' }, continue: { type: 'boolean', default: false } },
  });
  if (values.continue) return values['copied-at'] === undefined ? continueJobs() : fail(USAGE);
  const copiedAt = Date.parse(values['copied-at'] ?? '');
  if (Number.isNaN(copiedAt)) return fail(USAGE);
  if (copiedAt > Date.now()) return fail('The time of the copy is in the future.');
  return withStore('restore', async (dependencies) => {
    const result = await restoreStore(dependencies, copiedAt);
    if (result.kind === 'used') {
      return fail(
        `The store has been used at ${toTimestamp(result.usedAt)}, after the copy. Nothing was changed: stop every api and worker, restore the copy again, and run this command before they start.`,
      );
    }
    if (result.kind === 'empty') {
      return fail(
        'The store is empty: the copy is not in it. Restore the copy again, and run this command before the processes start.',
      );
    }
    if (result.kind === 'done before') {
      console.log(`This restore was completed at ${toTimestamp(result.completedAt)}. Nothing was changed.`);
      return 0;
    }
    const { autoBackups, clusters, interrupted, swept, unknown, unreadable } = result.summary;
    console.log(`${interrupted} jobs have ended as interrupted; what they created stays.`);
    console.log(`${swept} ended jobs with leftovers, which administrators find in the list of leftovers.`);
    console.log(`${clusters} lite clusters whose creation or deletion was interrupted.`);
    console.log(`${autoBackups} auto backups continue with their next due time.`);
    for (const line of unreadable) console.log(line);
    if (unknown > 0) {
      return fail(
        `${unknown} jobs are of a newer release, so the restore is not complete: run the command of that release with the same time, before the processes start or while they hold the store.`,
      );
    }
    console.log('Start the processes now. Those that hold the store begin by themselves.');
    return 0;
  });
}

/** Says that the store is what the processes have left. */
function continueJobs(): Promise<number> {
  return withStore('restore', async ({ config, redis }) => {
    const wasHeld = await releaseStoreHold(redis.store);
    console.log(
      wasHeld
        ? 'The jobs of the store continue.'
        : `The store was not held. Its jobs continue if the processes start within ${config.jobs.oldStoreSeconds} seconds.`,
    );
    return 0;
  });
}
